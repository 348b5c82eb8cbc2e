import type { TextsOf } from '../texts.ts'

export const notice: TextsOf<'notice'> = {
  'notice.not_found.title': 'Aquí no hay ninguna página',
  'notice.not_found.text': 'Compruebe la dirección.',
  'notice.rate_limited.title': 'Demasiadas solicitudes',
  'notice.rate_limited.text': 'Espere un momento y vuelva a cargar esta página.',
  'notice.unavailable.title': 'Esta página no se puede mostrar en este momento',
  'notice.unavailable.text':
    'El servicio no puede leer sus datos en este momento. Vuelva a cargar esta página en unos instantes.',
  'notice.internal.title': 'Algo ha fallado',
  'notice.internal.text': 'El servicio no pudo mostrar esta página. Vuelva a cargar esta página en unos instantes.',
  'notice.link_invalid': 'Este enlace no funciona',
  'notice.link_expired': 'Este enlace ya no es válido',
  'notice.invalid_request': 'No se ha guardado',
  'notice.conflict': 'No se ha realizado',
  'notice.new_link': 'Obtener un enlace nuevo',
  'notice.request': 'Solicitud {id}',
}
