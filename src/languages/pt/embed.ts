import type { TextsOf } from '../texts.ts'

export const embed: TextsOf<'embed'> = {
  'embed.badge.label': 'estado',
  'embed.unknown': 'desconhecido',
  'embed.open': 'Estado de {page}',
  'embed.close': 'Fechar',
  'embed.calm': 'Sem incidentes nem manutenções.',
  'embed.page': 'Abrir a página de estado',
  'embed.move': 'Mova com o ponteiro, ou com Shift e as setas',
  'embed.guide.title': 'Mostrar este estado noutro local',
  'embed.guide.intro': 'Copie um excerto de código para outra página. O que mostra mantém-se atualizado.',
  'embed.guide.badge': 'Distintivo',
  'embed.guide.badge_text': 'Uma imagem para documentos e ficheiros README.',
  'embed.guide.widget': 'Cartão',
  'embed.guide.widget_text': 'Um cartão numa página, no lugar da primeira linha.',
  'embed.guide.launcher': 'Botão',
  'embed.guide.launcher_text': 'Um botão no canto de uma página, que abre uma lista.',
  'embed.guide.frame': 'Moldura',
  'embed.guide.frame_text': 'Um documento para páginas que não permitem scripts.',
  'embed.guide.json': 'JSON para distintivos',
  'embed.guide.none': 'As definições desta página não oferecem nada para incorporar.',
  'embed.guide.preview': 'Pré-visualização',
}
