import type { TextsOf } from '../texts.ts'

export const notice: TextsOf<'notice'> = {
  'notice.not_found.title': 'Não há nenhuma página aqui',
  'notice.not_found.text': 'Verifique o endereço.',
  'notice.rate_limited.title': 'Solicitações demais',
  'notice.rate_limited.text': 'Aguarde um momento e carregue esta página novamente.',
  'notice.unavailable.title': 'Esta página não pode ser mostrada no momento',
  'notice.unavailable.text':
    'O serviço não consegue ler os seus dados no momento. Carregue esta página novamente em instantes.',
  'notice.internal.title': 'Algo deu errado',
  'notice.internal.text': 'O serviço não conseguiu mostrar esta página. Carregue esta página novamente em instantes.',
  'notice.link_invalid': 'Este link não funciona',
  'notice.link_expired': 'Este link não é mais válido',
  'notice.invalid_request': 'Isto não foi salvo',
  'notice.conflict': 'Isto não foi feito',
  'notice.link.incomplete': 'Este link está incompleto ou foi alterado. Abra novamente o link do e-mail.',
  'notice.link.expired': 'Este link expirou.',
  'notice.link.page_deleted': 'Este link não é mais válido, porque a página foi excluída.',
  'notice.link.subscription_deleted': 'Este link não é mais válido, porque a inscrição foi excluída.',
  'notice.link.newer_mail': 'Este link não é mais válido, porque um e-mail mais recente tem um link novo.',
  'notice.link.unsubscribed': 'Este link não é mais válido, porque a inscrição do endereço foi cancelada depois.',
  'notice.link.switched_off':
    'Os e-mails para este endereço estão desativados. Peça ao proprietário da página para restabelecê-lo.',
  'notice.new_link': 'Obter um novo link',
  'notice.request': 'Solicitação {id}',
}
