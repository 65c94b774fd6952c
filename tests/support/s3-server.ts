import { createHash, createHmac } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

export type S3Server = {
  settings: { endpoint: string; bucket: string; region: string; accessKeyId: string; secretAccessKey: string }
  /** Files by path, with their content types. */
  files: Map<string, { bytes: Buffer; type: string }>
  requests: string[]
  /** Statuses returned before the real responses, such as 503. */
  failures: number[]
  close(): Promise<void>
}

/** An in-memory store that implements the part of S3 that the server uses, and checks every signature by the published algorithm. */
export async function startS3Server(): Promise<S3Server> {
  const files: S3Server['files'] = new Map()
  const requests: string[] = []
  const failures: number[] = []
  const keys = { region: 'eu-north-1', accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }

  const server = http.createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    const path = new URL(request.url ?? '/', 'http://s3').pathname
    requests.push(`${request.method} ${path}`)
    const answer = (status: number, headers: http.OutgoingHttpHeaders = {}, content: Buffer | string = '') =>
      response.writeHead(status, headers).end(content)
    const error = (status: number, code: string) =>
      answer(status, { 'content-type': 'application/xml' }, `<Error><Code>${code}</Code></Error>`)

    const failure = failures.shift()
    if (failure) return error(failure, 'SlowDown')
    if (!isSigned(request, body, keys)) return error(403, 'SignatureDoesNotMatch')
    if (request.method === 'PUT') {
      files.set(path, { bytes: body, type: request.headers['content-type'] ?? '' })
      return answer(200)
    }
    if (request.method === 'DELETE') {
      files.delete(path)
      return answer(204)
    }
    const file = files.get(path)
    if (!file) return error(404, 'NoSuchKey')
    const size = file.bytes.length
    const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '') ?? []
    if (request.headers.range === undefined) return answer(200, { 'content-length': size, 'content-type': file.type }, file.bytes)
    const first = from === '' ? Math.max(0, size - Number(to)) : Number(from)
    const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
    if (first > last) return answer(416, { 'content-range': `bytes */${size}` })
    return answer(206, { 'content-range': `bytes ${first}-${last}/${size}` }, file.bytes.subarray(first, last + 1))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    settings: { endpoint: `http://127.0.0.1:${port}`, bucket: 'grove', ...keys },
    files,
    requests,
    failures,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Keys = { region: string; accessKeyId: string; secretAccessKey: string }

/** AWS Signature Version 4, as documented. */
function isSigned(request: http.IncomingMessage, body: Buffer, { region, accessKeyId, secretAccessKey }: Keys): boolean {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/
  const [, id, day, where, names = '', signature] = pattern.exec(request.headers.authorization ?? '') ?? []
  if (id !== accessKeyId || where !== region || !day) return false
  const time = String(request.headers['x-amz-date'])
  const age = Date.now() - Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  const payload = String(request.headers['x-amz-content-sha256'])
  const signedNames = names.split(';')
  if (!(Math.abs(age) < 900_000) || !time.startsWith(day) || !signedNames.includes('host') || !signedNames.includes('x-amz-date'))
    return false
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(body)) return false
  const url = new URL(request.url ?? '/', 'http://s3')
  const canonical = [
    request.method,
    url.pathname,
    [...url.searchParams]
      .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
      .sort()
      .join('&'),
    ...signedNames.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}`),
    '',
    names,
    payload,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>((secret, part) => hmac(secret, part), `AWS4${secretAccessKey}`)
  return hmac(key, toSign).toString('hex') === signature
}

const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex')
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest()
