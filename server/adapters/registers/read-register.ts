import { setTimeout as wait } from 'node:timers/promises'
import { parse } from 'csv-parse'
import { type LicenseRegister, type ReadRegister, type RegisterRow, RegisterUnavailable } from '#server/kernel/license-registers.ts'

type Source<Format extends LicenseRegister['source']['format']> = Extract<LicenseRegister['source'], { format: Format }>

export type RegisterReaderSettings = {
  timeLimitMs?: number
  maxBytes?: number
  /** Delay before the second attempt. Doubled before the third. */
  pauseMs?: number
}

const maxTries = 3
const pageSize = 1000
/** A million licenses, more than in all US registers combined. The limit stops a service that keeps repeating its last page. */
const maxPages = 1000

/** Reads entire public license registers over HTTP. Gives up if a page can't be fetched in three attempts. */
export function createRegisterReader({
  timeLimitMs = 60_000,
  maxBytes = 100_000_000,
  pauseMs = 2000,
}: RegisterReaderSettings = {}): ReadRegister {
  return (source, signal) => {
    const download = (url: string) => fetchWhole(url, signal)
    switch (source.format) {
      case 'socrata':
        return socrataRows(source, download)
      case 'json-pages':
        return pagedRows(source, download)
      case 'csv':
        return csvRows(source, download)
      case 'xlsx':
        return sheetRows(source, download)
    }
  }

  async function fetchWhole(url: string, signal?: AbortSignal): Promise<Buffer> {
    for (let tries = 1; ; tries++) {
      try {
        return await fetchOnce(url, AbortSignal.any([AbortSignal.timeout(timeLimitMs), ...(signal ? [signal] : [])]))
      } catch (error) {
        signal?.throwIfAborted()
        if (error instanceof RegisterUnavailable || tries === maxTries) throw asUnavailable(error, url)
        await wait(pauseMs * tries, undefined, signal ? { signal } : {})
      }
    }
  }

  async function fetchOnce(url: string, signal: AbortSignal): Promise<Buffer> {
    const response = await fetch(url, { signal, headers: { accept: '*/*', 'user-agent': 'Sungrove license register reader' } })
    if (!response.ok) {
      await response.body?.cancel()
      const message = `${new URL(url).host} responded with status ${response.status}.`
      // Rate limits and server errors may be temporary. Anything else is final.
      throw response.status === 429 || response.status >= 500 ? new Error(message) : new RegisterUnavailable(message)
    }
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of response.body ?? []) {
      size += chunk.length
      if (size > maxBytes) throw new RegisterUnavailable(`${new URL(url).host} sent more than ${maxBytes / 1_000_000} MB.`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  }
}

function asUnavailable(error: unknown, url: string): RegisterUnavailable {
  if (error instanceof RegisterUnavailable) return error
  const { name, message, cause } = error as Error
  const { host } = new URL(url)
  if (name === 'TimeoutError') return new RegisterUnavailable(`${host} took too long to respond.`, { cause: error })
  const reason = cause instanceof Error ? `${host}: ${cause.message}` : message
  return new RegisterUnavailable(`The register can't be read: ${reason}`, { cause: error })
}

type Download = (url: string) => Promise<Buffer>

async function* socrataRows({ url, where }: Source<'socrata'>, download: Download): AsyncGenerator<RegisterRow[]> {
  for (let page = 0; page < maxPages; page++) {
    const address = new URL(url)
    // Without an order, a dataset's pages may repeat and skip rows.
    const query = { $order: ':id', $limit: `${pageSize}`, $offset: `${page * pageSize}`, ...(where && { $where: where }) }
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
    const rows = rowsOf(readJson(await download(address.href), address.href), address.href)
    if (rows.length > 0) yield rows
    if (rows.length < pageSize) return
  }
  throw tooManyPages(url)
}

async function* pagedRows(source: Source<'json-pages'>, download: Download): AsyncGenerator<RegisterRow[]> {
  for (let page = 1; page <= maxPages; page++) {
    const url = source.url.replaceAll('{page}', `${page}`)
    const body = readJson(await download(url), url)
    const rows = rowsOf(at(body, source.rows), url)
    const hasMore = at(body, source.hasMore)
    if (typeof hasMore !== 'boolean')
      throw new RegisterUnavailable(`Page ${page} doesn't show at ${source.hasMore} whether another page follows.`)
    if (rows.length > 0) yield rows
    if (!hasMore) return
    if (rows.length === 0) throw new RegisterUnavailable(`Page ${page} is empty but says that another page follows.`)
  }
  throw tooManyPages(source.url)
}

const tooManyPages = (url: string) => new RegisterUnavailable(`${new URL(url).host} sent more than ${maxPages} pages.`)

/** The URL may point to the file itself or to a page that links to it. */
async function downloadFile({ url, linkContains }: Source<'csv' | 'xlsx'>, download: Download): Promise<Buffer> {
  const body = await download(url)
  if (linkContains === undefined) return body
  const links = [...body.toString('utf8').matchAll(/<a\s[^>]*?href\s*=\s*["']([^"']+)["']/gi)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  )
  const link = links.find((href) => href.includes(linkContains))
  if (link === undefined || !URL.canParse(link, url))
    throw new RegisterUnavailable(`${url} doesn't link to a file with “${linkContains}” in its address.`)
  const file = new URL(link, url)
  if (file.protocol !== new URL(url).protocol)
    throw new RegisterUnavailable(`${url} links to a file that isn't served over ${new URL(url).protocol}//.`)
  return download(file.href)
}

async function* csvRows(source: Source<'csv'>, download: Download): AsyncGenerator<RegisterRow[]> {
  const { delimiter } = source
  const parser = parse(await downloadFile(source, download), {
    columns: true,
    bom: true,
    delimiter,
    trim: true,
    skip_empty_lines: true,
    relax_column_count: true,
  })
  let batch: RegisterRow[] = []
  try {
    for await (const row of parser) {
      batch.push(row)
      if (batch.length === pageSize) {
        yield batch
        batch = []
      }
    }
  } catch (error) {
    throw new RegisterUnavailable(`The file isn't CSV: ${(error as Error).message}`, { cause: error })
  }
  if (batch.length > 0) yield batch
}

async function* sheetRows(source: Source<'xlsx'>, download: Download): AsyncGenerator<RegisterRow[]> {
  const { sheet, headerRow } = source
  const file = await downloadFile(source, download)
  const { readSheet } = await import('read-excel-file/node')
  const rows = await readSheet(file, ...(sheet === undefined ? [] : [sheet])).catch((error: Error) => {
    throw new RegisterUnavailable(`The file isn't a readable XLSX sheet: ${error.message}`, { cause: error })
  })
  const header = (rows[headerRow - 1] ?? []).map((cell) => `${cell ?? ''}`.trim())
  const read = rows
    .slice(headerRow)
    .map((cells) => Object.fromEntries(header.flatMap((name, i) => (name === '' ? [] : [[name, cells[i] ?? '']]))))
  if (read.length > 0) yield read
}

function readJson(body: Buffer, url: string): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch (error) {
    throw new RegisterUnavailable(`${new URL(url).host} did not respond with JSON.`, { cause: error })
  }
}

function rowsOf(body: unknown, url: string): RegisterRow[] {
  if (!Array.isArray(body) || !body.every((row) => typeof row === 'object' && row !== null)) {
    throw new RegisterUnavailable(`${new URL(url).host} did not respond with a list of rows.`)
  }
  return body
}

const at = (body: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce((value, name) => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined), body)
