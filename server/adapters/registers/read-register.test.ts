import { afterEach, describe, expect, it } from 'vitest'
import type { LicenseRegister, RegisterRow } from '#server/kernel/license-registers.ts'
import { licenseSearchAnswer, type RegisterAnswer, socrataAnswer, startRegisterServer, xlsxOf } from '#tests/support/register-server.ts'
import { createRegisterReader, type RegisterReaderSettings } from './read-register.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function serve(answer: (url: URL, count: number) => RegisterAnswer | null) {
  const server = await startRegisterServer(answer)
  closers.push(server.close)
  return server
}

async function readAll(
  source: LicenseRegister['source'],
  settings: RegisterReaderSettings = {},
  signal?: AbortSignal,
): Promise<RegisterRow[]> {
  const rows: RegisterRow[] = []
  for await (const batch of createRegisterReader({ pauseMs: 1, ...settings })(source, signal)) rows.push(...batch)
  return rows
}

const numbered = (count: number) => Array.from({ length: count }, (_, i) => ({ license_number: `OCM-${i}` }))

describe('a Socrata dataset', () => {
  it.each([0, 1, 999, 1000, 2345])('is read to its end with %d rows, each once', async (count) => {
    const rows = numbered(count)
    const { url } = await serve((asked) => socrataAnswer(rows, asked))
    expect(await readAll({ format: 'socrata', url: `${url}/resource/jskf-tt3q.json` })).toEqual(rows)
  })

  it('is queried with its filter', async () => {
    const { url, requests } = await serve((asked) => socrataAnswer(numbered(1), asked))
    await readAll({ format: 'socrata', url: `${url}/resource/a.json`, where: "license_status='Active'" })
    expect(new URL(requests[0] as string, url).searchParams.get('$where')).toBe("license_status='Active'")
  })
})

describe('a paginated JSON list', () => {
  const source = (url: string) =>
    ({
      format: 'json-pages',
      url: `${url}/licenses/filteredSearch?pageSize=3&pageNumber={page}`,
      rows: 'data',
      hasMore: 'metadata.hasNext',
    }) as const

  it.each([1, 3, 7])('is read to the last page with %d rows', async (count) => {
    const rows = numbered(count)
    const { url, requests } = await serve((asked) => licenseSearchAnswer(rows, asked))
    expect(await readAll(source(url))).toEqual(rows)
    expect(requests).toHaveLength(Math.ceil(count / 3))
  })

  it('is refused if it never ends or doesn’t say whether more pages follow', async () => {
    const empty = await serve(() => ({ body: JSON.stringify({ data: [], metadata: { hasNext: true } }) }))
    await expect(readAll(source(empty.url))).rejects.toThrow('Page 1 is empty but says that another page follows.')
    const silent = await serve(() => ({ body: JSON.stringify({ data: [] }) }))
    await expect(readAll(source(silent.url))).rejects.toThrow("doesn't show at metadata.hasNext")
  })
})

describe('a file', () => {
  it('is read as CSV with quotes, a byte order mark and short rows', async () => {
    const { url } = await serve(() => ({ body: '\uFEFFNumber,Name\r\n1,"Green, ""Inc"""\r\n2\r\n' }))
    expect(await readAll({ format: 'csv', url, delimiter: ',' })).toEqual([{ Number: '1', Name: 'Green, "Inc"' }, { Number: '2' }])
  })

  it('is read as XLSX, starting at its header row', async () => {
    const { url } = await serve(() => ({ body: xlsxOf([['Licenses, November'], ['Number', 'Name'], [7, 'Green & Gold'], [8, null]]) }))
    expect(await readAll({ format: 'xlsx', url, headerRow: 2 })).toEqual([
      { Number: 7, Name: 'Green & Gold' },
      { Number: 8, Name: '' },
    ])
  })

  it('is found on the page that links to it', async () => {
    const page = '<p><a href="/about">About</a> <a class="x" href="/files/2026-11-Active-License-List.xlsx?a=1&amp;b=2">List</a>'
    const { url, requests } = await serve(({ pathname }) => ({ body: pathname === '/' ? page : xlsxOf([['A'], ['1']]) }))
    expect(await readAll({ format: 'xlsx', url: `${url}/`, linkContains: 'Active-License-List', headerRow: 1 })).toEqual([{ A: '1' }])
    expect(requests[1]).toBe('/files/2026-11-Active-License-List.xlsx?a=1&b=2')
    await expect(readAll({ format: 'xlsx', url: `${url}/`, linkContains: 'Retired-List', headerRow: 1 })).rejects.toThrow(
      "doesn't link to a file",
    )
  })

  it('is refused in any other format', async () => {
    const { url } = await serve(() => ({ body: '<html>We moved</html>' }))
    await expect(readAll({ format: 'xlsx', url, headerRow: 1 })).rejects.toThrow("isn't a readable XLSX sheet")
    await expect(readAll({ format: 'socrata', url })).rejects.toThrow('did not respond with JSON')
  })
})

describe('a faulty server', () => {
  const source = (url: string) => ({ format: 'socrata', url }) as const

  it('is called up to three times if it fails, hangs up, or is too busy', async () => {
    for (const fault of [{ status: 503, body: '' }, { status: 429, body: '' }, null]) {
      const { url, requests } = await serve((asked, count) => (count < 3 ? fault : socrataAnswer(numbered(2), asked)))
      expect(await readAll(source(url))).toHaveLength(2)
      expect(requests).toHaveLength(3)
    }
  })

  it('is called only once if it responds with 404', async () => {
    const { url, requests } = await serve(() => ({ status: 404, body: 'gone' }))
    await expect(readAll(source(url))).rejects.toThrow('responded with status 404.')
    expect(requests).toHaveLength(1)
  })

  it('fails the read if a page can’t be fetched', async () => {
    const { url } = await serve((asked) =>
      asked.searchParams.get('$offset') === '0' ? socrataAnswer(numbered(1500), asked) : { status: 500, body: '' },
    )
    await expect(readAll(source(url))).rejects.toThrow('responded with status 500.')
  })

  it('is abandoned if it sends too much or the read is aborted', async () => {
    const { url } = await serve(() => ({ body: JSON.stringify(numbered(100)) }))
    await expect(readAll(source(url), { maxBytes: 1000 })).rejects.toThrow('sent more than')
    await expect(readAll(source(url), {}, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped')
  })
})
