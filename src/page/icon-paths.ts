/**
 * Each shape has its own outline, so that colour is not needed: the paths of the body and of the sign on it, in a square of 16.
 * The script on the pages of others has them, too.
 */
export const iconPaths = {
  check: { body: 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1z', sign: 'M4.9 8.3l2.2 2.2 4-4.6' },
  wrench: {
    body: 'M5 1h6a4 4 0 0 1 4 4v6a4 4 0 0 1-4 4H5a4 4 0 0 1-4-4V5a4 4 0 0 1 4-4z',
    sign: 'M5 11l3.4-3.4M11 4.6a2.3 2.3 0 1 0 .6 2.6L9.9 7.3l-.8-1.5z',
  },
  minus: { body: 'M8 .8 15.2 8 8 15.2.8 8z', sign: 'M5.2 8h5.6' },
  alert: { body: 'M8 1.2 15.3 14.4H.7z', sign: 'M8 6v3.6M8 11.9v.1' },
  cross: { body: 'M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1z', sign: 'M5.6 5.6l4.8 4.8M10.4 5.6l-4.8 4.8' },
  dot: { body: 'M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3z', sign: '' },
}
