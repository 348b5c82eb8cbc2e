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
  'notice.link.incomplete': 'Este enlace está incompleto o se ha modificado. Abra de nuevo el enlace del correo.',
  'notice.link.expired': 'Este enlace ha caducado.',
  'notice.link.page_deleted': 'Este enlace ya no es válido, porque la página se ha eliminado.',
  'notice.link.subscription_deleted': 'Este enlace ya no es válido, porque la suscripción se ha eliminado.',
  'notice.link.newer_mail': 'Este enlace ya no es válido, porque un correo más reciente tiene un enlace nuevo.',
  'notice.link.unsubscribed': 'Este enlace ya no es válido, porque la dirección se dio de baja después.',
  'notice.link.switched_off':
    'Los correos a esta dirección están desactivados. Pida al propietario de la página que la restablezca.',
  'notice.new_link': 'Obtener un enlace nuevo',
  'notice.request': 'Solicitud {id}',
}
