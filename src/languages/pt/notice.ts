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
  'notice.new_link': 'Obter um novo link',
  'notice.request': 'Solicitação {id}',
}
