import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import zlib from 'node:zlib'
import fc from 'fast-check'
import { bytesToHeader, Compression, type Entry, type Header, PMTiles, TileType, tileIdToZxy, zxyToTileId } from 'pmtiles'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { extractedRegion, extractStreets } from './extract-streets.ts'
import { boundsOf, parseRegion, type Region, tilesOf } from './region.ts'
import { decompress, openSource, rootStart, tileDataStart, writeDirectories, writeHeader, writeMetadata } from './tile-archive.ts'

let folder: string
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'streets-'))
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const denver: Region = { states: [], boxes: ['-105.1,39.6,-104.8,39.8'] }
const boulder: Region = { states: [], boxes: ['-105.3,39.95,-105.2,40.05'] }

/** Distinct for each land tile and the same for all sea tiles, as in a real archive. */
const contentOf = (tileId: number) => {
  const [zoom, x, y] = tileIdToZxy(tileId)
  return zlib.gzipSync(Buffer.from(x % 7 === 3 ? 'sea' : `tile ${zoom}/${x}/${y} ${'street '.repeat((x + y) % 40)}`))
}

type Made = { file: string; ids: number[]; header: Header }

/** An archive with all tiles of both areas up to a zoom level. */
async function makeArchive(name: string, maxZoom = 14, extra: Partial<Header> = {}): Promise<Made> {
  const ranges = tilesOf({ states: [], boxes: ['-105.6,39.4,-104.5,40.2'] }, maxZoom)
  const ids = ranges.flatMap(({ first, end }) => Array.from({ length: end - first }, (_, i) => first + i))
  const data: Buffer[] = []
  const places = new Map<string, number>()
  const entries: Entry[] = []
  let bytes = 0
  for (const tileId of ids) {
    const content = contentOf(tileId)
    const text = content.toString('latin1')
    const known = places.get(text)
    const offset = known ?? bytes
    if (known === undefined) {
      places.set(text, bytes)
      data.push(content)
      bytes += content.length
    }
    const last = entries.at(-1)
    if (last && last.offset === offset && last.tileId + last.runLength === tileId) last.runLength++
    else entries.push({ tileId, offset, length: content.length, runLength: 1 })
  }
  const { root, leaves } = await writeDirectories(entries)
  const metadata = await writeMetadata({ attribution: 'OpenStreetMap', vector_layers: [{ id: 'roads' }] })
  const leafStart = tileDataStart + bytes
  const header: Header = {
    ...{ specVersion: 3, rootDirectoryOffset: rootStart, rootDirectoryLength: root.length, clustered: true },
    ...{ leafDirectoryOffset: leafStart, leafDirectoryLength: leaves.length, jsonMetadataOffset: leafStart + leaves.length },
    ...{ jsonMetadataLength: metadata.length, tileDataOffset: tileDataStart, tileDataLength: bytes },
    ...{ numAddressedTiles: ids.length, numTileEntries: entries.length, numTileContents: data.length },
    ...{ internalCompression: Compression.Gzip, tileCompression: Compression.Gzip, tileType: TileType.Mvt, minZoom: 0, maxZoom },
    ...{ minLon: -106, minLat: 39, maxLon: -104, maxLat: 41, centerZoom: 8, centerLon: -105, centerLat: 40 },
    ...extra,
  }
  const start = Buffer.concat([writeHeader(header), root])
  const file = path.join(folder, name)
  fs.writeFileSync(file, Buffer.concat([start, Buffer.alloc(tileDataStart - start.length), ...data, leaves, metadata]))
  return { file, ids, header }
}

function reader(file: string): PMTiles {
  const bytes = fs.readFileSync(file)
  const getBytes = async (offset: number, length: number) => ({
    data: bytes.buffer.slice(bytes.byteOffset + offset, bytes.byteOffset + Math.min(bytes.length, offset + length)) as ArrayBuffer,
  })
  return new PMTiles({ getKey: () => file, getBytes })
}

const textOf = async (archive: PMTiles, tileId: number): Promise<string | undefined> => {
  const tile = await archive.getZxy(...(tileIdToZxy(tileId) as [number, number, number]))
  return tile && Buffer.from(tile.data).toString()
}

async function expectTiles(file: string, region: Region, maxZoom: number, ids: readonly number[]) {
  const archive = reader(file)
  const ranges = tilesOf(region, maxZoom)
  const isWanted = (id: number) => ranges.some(({ first, end }) => first <= id && id < end)
  let found = 0
  for (const id of ids) {
    const text = await textOf(archive, id)
    expect(text === undefined).toBe(!isWanted(id))
    if (text === undefined) continue
    found++
    expect(text).toBe(zlib.gunzipSync(contentOf(id)).toString())
  }
  expect(found).toBeGreaterThan(0)
}

describe('an extract', () => {
  test('has every tile of its area with the same content, and no other tiles', async () => {
    const { file, ids } = await makeArchive('planet.pmtiles')
    const target = path.join(folder, 'denver.pmtiles')
    const { tiles, maxZoom, bytes } = await extractStreets(target, { from: file, region: denver })
    await expectTiles(target, denver, 14, ids)
    expect(maxZoom).toBe(14)
    expect(fs.statSync(target).size).toBe(bytes)
    expect(await reader(target).getHeader()).toMatchObject({
      numAddressedTiles: tiles,
      minLon: -105.1,
      minLat: 39.6,
      maxLon: -104.8,
      maxLat: 39.8,
      maxZoom: 14,
    })
    expect(await reader(target).getMetadata()).toMatchObject({ attribution: 'OpenStreetMap' })
    expect(await extractedRegion(target)).toEqual(denver)
    expect(fs.existsSync(`${target}.part`) || fs.existsSync(`${target}.part.json`)).toBe(false)
  })

  test('can have less detail, and can cover two areas', async () => {
    const { file, ids } = await makeArchive('planet.pmtiles')
    const target = path.join(folder, 'both.pmtiles')
    const region = { states: [], boxes: [...denver.boxes, ...boulder.boxes].sort() }
    await extractStreets(target, { from: file, region, maxZoom: 12 })
    await expectTiles(target, region, 12, ids)
  })

  test('continues after an interruption at any byte', async () => {
    const { file } = await makeArchive('planet.pmtiles', 13)
    const whole = path.join(folder, 'whole.pmtiles')
    await extractStreets(whole, { from: file, region: denver })
    const expected = fs.readFileSync(whole)
    const target = path.join(folder, 'interrupted.pmtiles')
    await fc.assert(
      fc.asyncProperty(fc.double({ min: 0, max: 1, noNaN: true }), async (share) => {
        const stop = new AbortController()
        stop.abort(new Error('stopped'))
        await expect(extractStreets(target, { from: file, region: denver, signal: stop.signal })).rejects.toThrow('stopped')
        const cut = tileDataStart + Math.floor(share * (expected.length - tileDataStart))
        fs.writeFileSync(`${target}.part`, expected.subarray(0, cut))
        let read = 0
        await extractStreets(target, { from: file, region: denver, onBytes: (count) => (read += count) })
        expect(fs.readFileSync(target).equals(expected)).toBe(true)
        expect(read).toBeLessThanOrEqual(expected.length - cut + 2_000)
      }),
      { numRuns: 20 },
    )
  })

  test('starts over if the source has changed', async () => {
    const { file } = await makeArchive('changing.pmtiles', 12)
    const target = path.join(folder, 'renewed.pmtiles')
    const stop = new AbortController()
    stop.abort(new Error('stopped'))
    await expect(extractStreets(target, { from: file, region: denver, signal: stop.signal })).rejects.toThrow('stopped')
    fs.writeFileSync(`${target}.part`, randomBytes(40_000))
    const { ids } = await makeArchive('changing.pmtiles', 13)
    await extractStreets(target, { from: file, region: denver })
    await expectTiles(target, denver, 13, ids)
  })

  test('keeps the installed file until the new one is complete', async () => {
    const { file } = await makeArchive('planet.pmtiles', 12)
    const target = path.join(folder, 'kept.pmtiles')
    await extractStreets(target, { from: file, region: denver })
    const before = fs.readFileSync(target)
    fs.writeFileSync(path.join(folder, 'cut.pmtiles'), fs.readFileSync(file).subarray(0, tileDataStart + 100))
    await expect(extractStreets(target, { from: path.join(folder, 'cut.pmtiles'), region: boulder })).rejects.toThrow(
      'The source is damaged',
    )
    expect(fs.readFileSync(target).equals(before)).toBe(true)
  })
})

describe('a source', () => {
  const refusal = (from: string) => extractStreets(path.join(folder, 'never.pmtiles'), { from, region: denver, pauseMs: 1 })

  test('is refused if it isn’t an archive, has an unknown version, or has pictures', async () => {
    const text = path.join(folder, 'text.pmtiles')
    fs.writeFileSync(text, 'no map at all '.repeat(100))
    await expect(refusal(text)).rejects.toThrow('not a PMTiles archive')
    await expect(refusal(path.join(folder, 'missing.pmtiles'))).rejects.toThrow('File not found')
    const { file } = await makeArchive('pictures.pmtiles', 10, { tileType: TileType.Png })
    await expect(refusal(file)).rejects.toThrow('pictures instead of vector tiles')
    const bytes = fs.readFileSync(file)
    bytes[7] = 9
    fs.writeFileSync(file, bytes)
    await expect(refusal(file)).rejects.toThrow("version isn't supported")
  })

  test('yields only the tile of the whole world if it has no other tiles of the area', async () => {
    const { file } = await makeArchive('planet.pmtiles', 12)
    const paris = { states: [], boxes: ['2.2,48.8,2.4,48.9'] }
    // The tile of zoom level 0 shows the whole world.
    await expect(extractStreets(path.join(folder, 'paris.pmtiles'), { from: file, region: paris })).resolves.toMatchObject({ tiles: 1 })
  })

  test('is read, or refused with a human-readable message, if its directories are damaged', async () => {
    const { file, header } = await makeArchive('damaged.pmtiles', 14)
    const whole = fs.readFileSync(file)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 40 }), fc.nat(), fc.integer({ min: 1, max: 255 }), async (bytesLong, at, difference) => {
        const damaged = Buffer.from(whole)
        const start = at % 2 === 0 ? header.rootDirectoryOffset : header.leafDirectoryOffset
        const length = at % 2 === 0 ? header.rootDirectoryLength : (header.leafDirectoryLength ?? 0)
        for (let i = 0; i <= bytesLong; i++) {
          const place = start + ((at + i * 31) % length)
          damaged[place] = ((damaged[place] as number) + difference) % 256
        }
        fs.writeFileSync(file, damaged)
        await refusal(file).then(
          () => {},
          (error: Error) => expect(error.name).toBe('UserFacingError'),
        )
      }),
      { numRuns: 100 },
    )
  })
})

describe('a source on the web', () => {
  let address: string
  let answer: (request: http.IncomingMessage, response: http.ServerResponse, bytes: Buffer) => void
  let requests = 0
  let server: http.Server
  let made: Made
  const target = () => path.join(folder, 'web.pmtiles')
  const extract = (settings = {}) => extractStreets(target(), { from: address, region: denver, pauseMs: 1, ...settings })

  const sendPart: typeof answer = (request, response, bytes) => {
    const [, first = '', last = ''] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    const end = Math.min(Number(last) + 1, bytes.length)
    response.writeHead(206, { 'content-range': `bytes ${first}-${end - 1}/${bytes.length}`, etag: '"one"' })
    response.end(bytes.subarray(Number(first), end))
  }

  beforeAll(async () => {
    made = await makeArchive('served.pmtiles', 14)
    const bytes = fs.readFileSync(made.file)
    server = http.createServer((request, response) => {
      requests++
      answer(request, response, bytes)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(server.address() as { port: number }).port}/planet.pmtiles`
  })
  afterAll(() => server.close())

  test('is read in parts, with far fewer requests than tiles', async () => {
    answer = sendPart
    requests = 0
    const { tiles } = await extract()
    await expectTiles(target(), denver, 14, made.ids)
    expect(requests).toBeLessThan(tiles / 4)
  })

  test('is requested again after a temporary failure', async () => {
    let faults = 0
    answer = (request, response, bytes) => {
      if (requests % 3 !== 0) return sendPart(request, response, bytes)
      faults++
      if (faults % 2 === 0) response.writeHead(503).end()
      else response.destroy()
    }
    await extract()
    await expectTiles(target(), denver, 14, made.ids)
    expect(faults).toBeGreaterThan(0)
  })

  test.each([
    ['is gone', 'responded with status 404', (_request, response) => response.writeHead(404).end()],
    ['stays down', 'Run the command again to continue', (_request, response) => response.writeHead(503).end()],
    ['sends whole files', "doesn't support range requests", (_request, response, bytes) => response.writeHead(200).end(bytes)],
    [
      'is replaced meanwhile',
      'was replaced while it was being read',
      (request, response, bytes) => {
        const setHead = response.writeHead.bind(response)
        response.writeHead = ((status: number, headers: object) => setHead(status, { ...headers, etag: `"${requests}"` })) as never
        sendPart(request, response, bytes)
      },
    ],
    [
      'sends less than it says',
      'The source is damaged',
      (request, response, bytes) => sendPart(request, response, bytes.subarray(0, tileDataStart + 10)),
    ],
    [
      'sends more than was requested',
      'sent more bytes than requested',
      (_request, response, bytes) => response.writeHead(206, { etag: '"one"' }).end(bytes),
    ],
  ] satisfies [string, string, typeof answer][])('ends with a clear message if it %s', async (_case, message, given) => {
    answer = given
    await expect(extract()).rejects.toThrow(message)
  })
})

describe('a region', () => {
  test('is parsed from codes and boxes', () => {
    expect(parseRegion(['co,WY', 'CO'], ['-105, 39, -104, 40'])).toEqual({ states: ['CO', 'WY'], boxes: ['-105,39,-104,40'] })
    expect(() => parseRegion(['ZZ'], [])).toThrow(`"ZZ" isn't a state's code`)
    for (const box of ['', '1,2,3', '1,2,3,4,5', 'a,b,c,d', '-104,39,-105,40', '0,0,0,0', '-200,0,10,10']) {
      expect(() => parseRegion([], [box])).toThrow("isn't a box")
    }
  })

  test('covers the state and little more', () => {
    const ranges = tilesOf(parseRegion(['CO'], []), 14)
    const covers = (latitude: number, longitude: number) => {
      const x = Math.floor(((longitude + 180) / 360) * 2 ** 14)
      const y = Math.floor(((1 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI) / 2) * 2 ** 14)
      const id = zxyToTileId(14, x, y)
      return ranges.some(({ first, end }) => first <= id && id < end)
    }
    expect([covers(39.74, -104.99), covers(37.01, -102.06), covers(40.99, -109.04)]).toEqual([true, true, true])
    expect([covers(41.14, -104.82), covers(35.08, -106.65), covers(39.74, -101)]).toEqual([false, false, false])
  })

  test('reaches across the antimeridian, as Alaska does', () => {
    expect(boundsOf(parseRegion(['AK'], []))).toMatchObject({ west: -180, east: 180 })
    expect(boundsOf(parseRegion(['CO'], ['-100,30,-99,31']))).toMatchObject({ south: 30, east: -99 })
  })

  test('is ordered and has no overlap', () => {
    const ranges = tilesOf(parseRegion(['RI', 'DC'], ['-72,41,-71,42']), 15)
    for (const [i, { first, end }] of ranges.entries()) {
      expect(end).toBeGreaterThan(first)
      if (i > 0) expect(first).toBeGreaterThan(ranges[i - 1]!.end)
    }
  })
})

test('writes a header that the library reads back', async () => {
  const { file, header } = await makeArchive('header.pmtiles', 12)
  const source = await openSource(file)
  const { data } = await source.getBytes(0, rootStart)
  await source.close()
  expect(bytesToHeader(data)).toEqual({ ...header, etag: undefined })
})

test('fits the root directory of a state into the first read, and the rest into leaves', async () => {
  const entries = Array.from(
    { length: 300_000 },
    (_, i): Entry => ({ tileId: i * 3, offset: i * 900 + (i % 5), length: 700, runLength: 1 }),
  )
  const { root, leaves } = await writeDirectories(entries)
  expect(root.length).toBeLessThanOrEqual(tileDataStart - rootStart)
  expect(leaves.length).toBeGreaterThan(0)
})

test('refuses a packed directory that expands to 200 MB', async () => {
  const bomb = zlib.gzipSync(Buffer.alloc(200 * 1024 * 1024))
  await expect(
    decompress(bomb.buffer.slice(bomb.byteOffset, bomb.byteOffset + bomb.length) as ArrayBuffer, Compression.Gzip),
  ).rejects.toThrow()
})
