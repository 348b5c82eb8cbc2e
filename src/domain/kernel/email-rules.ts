/** As HTML forms accept it, with a dot in its domain: ASCII without spaces. What comes before the @ has at most 64 characters. */
export const EMAIL_ADDRESS =
  /^(?=[^@]{1,64}@)[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i

export const isEmailAddress = (address: string): boolean => EMAIL_ADDRESS.test(address)
