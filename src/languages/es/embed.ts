import type { TextsOf } from '../texts.ts'

export const embed: TextsOf<'embed'> = {
  'embed.badge.label': 'estado',
  'embed.unknown': 'desconocido',
  'embed.open': 'Estado de {page}',
  'embed.close': 'Cerrar',
  'embed.calm': 'Sin incidencias ni mantenimientos.',
  'embed.page': 'Abrir la página de estado',
  'embed.move': 'Mueva con el puntero, o con Mayús y las flechas',
  'embed.guide.title': 'Mostrar este estado en otro lugar',
  'embed.guide.intro': 'Copie un fragmento de código en otra página. Lo que muestra se mantiene actualizado.',
  'embed.guide.badge': 'Insignia',
  'embed.guide.badge_text': 'Una imagen para documentos y archivos README.',
  'embed.guide.widget': 'Tarjeta',
  'embed.guide.widget_text': 'Una tarjeta en una página, en el lugar de la primera línea.',
  'embed.guide.launcher': 'Botón',
  'embed.guide.launcher_text': 'Un botón en la esquina de una página, que abre una lista.',
  'embed.guide.frame': 'Marco',
  'embed.guide.frame_text': 'Un documento para páginas que no permiten scripts.',
  'embed.guide.json': 'JSON para insignias',
  'embed.guide.none': 'La configuración de esta página no ofrece nada para incrustar.',
  'embed.guide.preview': 'Vista previa',
}
