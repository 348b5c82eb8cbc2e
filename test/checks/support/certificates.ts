import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Made {
  cert: string
  key: string
}

const config = `
[ca]
default_ca = own
[own]
database = index.txt
serial = serial
new_certs_dir = .
default_md = sha256
policy = any
copy_extensions = copy
unique_subject = no
[any]
commonName = supplied
[req]
distinguished_name = dn
[dn]
`
const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-config', 'conf']

/** A certificate authority of the tests, which signs for any name and any dates. */
export function makeAuthority() {
  const dir = mkdtempSync(join(tmpdir(), 'upbeat-ca-'))
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: dir, stdio: 'pipe' })
  const read = (name: string) => readFileSync(join(dir, name), 'utf8')
  writeFileSync(join(dir, 'conf'), config)
  writeFileSync(join(dir, 'index.txt'), '')
  writeFileSync(join(dir, 'serial'), '1000')
  const ca = ['-addext', 'basicConstraints=critical,CA:TRUE', '-subj', '/CN=Test authority', '-days', '30']
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', ...ca)
  let made = 0

  /** Dates in the format of openssl, such as `20260303000000Z`. All test servers have the same common name. */
  function certificate(names: string, from = '20250101000000Z', to = '20990101000000Z'): Made {
    const name = `leaf${made++}`
    const subject = ['-subj', '/CN=localhost', '-addext', `subjectAltName=${names}`]
    openssl('req', '-new', ...key, '-keyout', `${name}.key`, '-out', `${name}.csr`, ...subject)
    const dates = ['-startdate', from, '-enddate', to]
    const signing = ['-batch', '-notext', '-config', 'conf', '-cert', 'ca.pem', '-keyfile', 'ca.key']
    openssl('ca', ...signing, ...dates, '-in', `${name}.csr`, '-out', `${name}.pem`)
    return { cert: read(`${name}.pem`), key: read(`${name}.key`) }
  }

  function selfSigned(names: string): Made {
    const subject = ['-subj', '/CN=own', '-addext', `subjectAltName=${names}`, '-days', '30']
    openssl('req', '-x509', ...key, '-keyout', 'own.key', '-out', 'own.pem', ...subject)
    return { cert: read('own.pem'), key: read('own.key') }
  }

  return { ca: read('ca.pem'), certificate, selfSigned, remove: () => rmSync(dir, { recursive: true }) }
}
