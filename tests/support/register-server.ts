import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { strToU8, zipSync } from 'fflate'

export type RegisterAnswer = { status?: number; body: string | Uint8Array; headers?: Record<string, string> }

/** A local server that stands in for a state's register. `requests` are the requested paths with their queries. */
export async function startRegisterServer(answer: (url: URL, count: number) => RegisterAnswer | null) {
  const requests: string[] = []
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    requests.push(`${url.pathname}${url.search}`)
    const given = answer(url, requests.length)
    // If the answer is null, hang up in the middle of the response.
    if (!given) {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('[')
      return void setTimeout(() => response.destroy(), 20)
    }
    response.writeHead(given.status ?? 200, given.headers).end(given.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  }
}

/** Serves `rows` as a Socrata dataset: `$limit` and `$offset` with `$order`, as documented. */
export function socrataAnswer(rows: readonly object[], url: URL): RegisterAnswer {
  if (url.searchParams.get('$order') !== ':id') return { status: 400, body: '{"message":"paging needs an order"}' }
  const offset = Number(url.searchParams.get('$offset') ?? 0)
  return { body: JSON.stringify(rows.slice(offset, offset + Number(url.searchParams.get('$limit') ?? 1000))) }
}

/** Serves `rows` as California's license search does. */
export function licenseSearchAnswer(rows: readonly object[], url: URL): RegisterAnswer {
  const size = Number(url.searchParams.get('pageSize'))
  const page = Number(url.searchParams.get('pageNumber'))
  const totalPages = Math.ceil(rows.length / size)
  return {
    body: JSON.stringify({
      data: rows.slice((page - 1) * size, page * size),
      metadata: { currentPage: page, pageSize: size, totalCount: rows.length, totalPages, hasNext: page < totalPages },
    }),
  }
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** An XLSX file with one sheet of text and numbers. */
export function xlsxOf(rows: readonly (readonly (string | number | null)[])[]): Uint8Array {
  const cell = (value: string | number | null) =>
    value === null
      ? '<c/>'
      : typeof value === 'number'
        ? `<c><v>${value}</v></c>`
        : `<c t="inlineStr"><is><t>${escaped(value)}</t></is></c>`
  const placed = (value: string | number | null, row: number, column: number) =>
    cell(value).replace('<c', `<c r="${String.fromCharCode(65 + column)}${row + 1}"`)
  const body = rows
    .map((cells, row) => `<row r="${row + 1}">${cells.map((value, column) => placed(value, row, column)).join('')}</row>`)
    .join('')
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const files = {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Licenses" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${body}</sheetData></worksheet>`,
  }
  return zipSync(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(`<?xml version="1.0" encoding="UTF-8"?>${text}`)])),
  )
}
