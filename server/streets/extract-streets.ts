import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { bytesToHeader, Compression, type Entry, type Header, ResolvedValueCache, TileType } from 'pmtiles'
import { UserFacingError } from '#server/error-line.ts'
import { boundsOf, type Region, type TileRange, tilesOf } from './region.ts'
import {
  decompress,
  openSource,
  rootStart,
  SourceDamaged,
  type SourceSettings,
  type TileSource,
  tileDataStart,
  writeDirectories,
  writeHeader,
  writeMetadata,
} from './tile-archive.ts'

export type ExtractOptions = SourceSettings & {
  /** Path or URL of an archive with the region's vector tiles, such as one of the whole planet. */
  from: string
  region: Region
  /** A value lower than the source's makes the file smaller. */
  maxZoom?: number | undefined
  onPlan?: (plan: { tiles: number; bytes: number; doneBytes: number }) => void
  onBytes?: (count: number) => void
}

export type Extract = { tiles: number; bytes: number; maxZoom: number }

const maxLeafDepth = 3
/** More directory entries than any state has at street level. A damaged source may claim to have billions. */
const maxEntries = 30_000_000
const maxTileBytes = 32 * 1024 * 1024
/** Tiles that are this close together in the source are read in one request, along with the bytes between them. */
const maxGapBytes = 64 * 1024
const maxRequestBytes = 4 * 1024 * 1024
const requestsAtOnce = 4

/** Stored in the metadata of an extracted archive, so another region can be added later. */
const regionKey = 'sungrove:region'

/**
 * Copies a region's tiles from a larger archive into `file`, which is replaced once the copy is complete. `file.part` stores the tiles read
 * so far, so the same call can continue after an interruption if the source hasn't changed.
 * @throws UserFacingError if the source can't be read, is damaged or has no vector tiles of the region, or if the disk has too little space
 */
export async function extractStreets(
  file: string,
  { from, region, maxZoom, onPlan, onBytes, ...settings }: ExtractOptions,
): Promise<Extract> {
  await fs.mkdir(path.dirname(file), { recursive: true })
  const source = await openSource(from, settings)
  try {
    const header = await readHeader(source)
    const zoom = Math.min(maxZoom ?? header.maxZoom, header.maxZoom)
    const entries = await findEntries(source, header, tilesOf(region, zoom))
    if (entries.length === 0) throw new UserFacingError('The source has no tiles for this area.')
    const tiles = layOut(entries)
    const key = createHash('sha256')
      .update(JSON.stringify([await source.version(), region, zoom]))
      .digest('hex')
    const part = await openPart(`${file}.part`, key, tiles)
    try {
      onPlan?.({ tiles: countOf(entries), bytes: tiles.bytes, doneBytes: part.doneBytes })
      await requireRoom(path.dirname(file), tiles.bytes - part.doneBytes)
      await copyTiles(source, header, tiles, part, { signal: settings.signal, onBytes })
      const bytes = await finish(part.handle, {
        source: header,
        metadata: await readMetadata(source, header),
        entries,
        tiles,
        region,
        zoom,
      })
      await part.handle.sync()
      await fs.rename(`${file}.part`, file)
      await fs.rm(`${file}.part.json`, { force: true })
      return { tiles: countOf(entries), bytes, maxZoom: zoom }
    } finally {
      await part.handle.close()
    }
  } finally {
    await source.close()
  }
}

export async function extractedRegion(file: string): Promise<Region | null> {
  const isThere = await fs.stat(file).catch(() => null)
  if (!isThere) return null
  const source = await openSource(file)
  try {
    const metadata = await readMetadata(source, await readHeader(source))
    return (metadata[regionKey] as Region | undefined) ?? null
  } finally {
    await source.close()
  }
}

async function readHeader(source: TileSource): Promise<Header> {
  const { data } = await source.getBytes(0, rootStart)
  const magic = Buffer.from(data).toString('latin1', 0, 7)
  if (magic !== 'PMTiles') throw new UserFacingError('The source is not a PMTiles archive.')
  let header: Header
  try {
    header = bytesToHeader(data)
  } catch {
    throw new UserFacingError("The source's PMTiles version isn't supported.")
  }
  if (header.tileType !== TileType.Mvt) throw new UserFacingError('The source has pictures instead of vector tiles.')
  return header
}

async function readMetadata(source: TileSource, header: Header): Promise<Record<string, unknown>> {
  if (header.jsonMetadataLength === 0) return {}
  try {
    const { data } = await source.getBytes(header.jsonMetadataOffset, header.jsonMetadataLength)
    return JSON.parse(Buffer.from(await decompress(data, header.internalCompression)).toString('utf8'))
  } catch (error) {
    throw error instanceof UserFacingError ? error : new SourceDamaged('its metadata is unreadable')
  }
}

/** The entries of tiles in `ranges`, in order, cut to these ranges. */
async function findEntries(source: TileSource, header: Header, ranges: readonly TileRange[]): Promise<Entry[]> {
  const directories = new ResolvedValueCache(1, undefined, decompress)
  const found: Entry[] = []

  async function look(offset: number, length: number, depth: number): Promise<void> {
    const entries = await directories.getDirectory(source, offset, length, header).catch((error: unknown) => {
      throw error instanceof UserFacingError ? error : new SourceDamaged('a directory is unreadable')
    })
    for (const [i, entry] of entries.entries()) {
      const isLeaf = entry.runLength === 0
      // A leaf has the tiles up to where the next entry begins.
      const end = isLeaf ? (entries[i + 1]?.tileId ?? Number.POSITIVE_INFINITY) : entry.tileId + entry.runLength
      const shared = within(ranges, entry.tileId, end)
      if (shared.length === 0) continue
      if (isLeaf) {
        if (depth === maxLeafDepth) throw new SourceDamaged('its directories lead in a circle')
        await look(header.leafDirectoryOffset + entry.offset, entry.length, depth + 1)
        continue
      }
      if (entry.length === 0 || entry.length > maxTileBytes) throw new SourceDamaged(`a tile has ${entry.length} bytes`)
      for (const { first, end } of shared) found.push({ ...entry, tileId: first, runLength: end - first })
      if (found.length > maxEntries) throw new SourceDamaged('its directories list more tiles than there are')
    }
  }

  await look(header.rootDirectoryOffset, header.rootDirectoryLength, 0)
  if (found.some(({ tileId }, i) => i > 0 && tileId <= (found[i - 1] as Entry).tileId))
    throw new SourceDamaged('its tiles are out of order')
  return found
}

/** The parts of ordered ranges from `first` up to, but not including, `end`. */
function within(ranges: readonly TileRange[], first: number, end: number): TileRange[] {
  let low = 0
  let high = ranges.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ranges[middle] as TileRange).end <= first) low = middle + 1
    else high = middle
  }
  const shared: TileRange[] = []
  for (let i = low; i < ranges.length && (ranges[i] as TileRange).first < end; i++) {
    const range = ranges[i] as TileRange
    shared.push({ first: Math.max(range.first, first), end: Math.min(range.end, end) })
  }
  return shared
}

type Tile = { from: number; to: number; length: number }
/** Each distinct tile once, in the source's order, and its position in the copy. */
type Layout = { tiles: Tile[]; bytes: number; placeOf: Map<number, number> }

function layOut(entries: readonly Entry[]): Layout {
  const lengths = new Map<number, number>()
  for (const { offset, length } of entries) lengths.set(offset, Math.max(length, lengths.get(offset) ?? 0))
  const tiles: Tile[] = []
  const placeOf = new Map<number, number>()
  let bytes = 0
  for (const offset of [...lengths.keys()].sort((a, b) => a - b)) {
    const length = lengths.get(offset) as number
    tiles.push({ from: offset, to: bytes, length })
    placeOf.set(offset, bytes)
    bytes += length
  }
  return { tiles, bytes, placeOf }
}

const countOf = (entries: readonly Entry[]) => entries.reduce((sum, { runLength }) => sum + runLength, 0)

type Part = { handle: fs.FileHandle; doneBytes: number }

/** Opens the partial extract of an earlier call, without a partly written last tile, or creates an empty file. */
async function openPart(file: string, key: string, { tiles, bytes }: Layout): Promise<Part> {
  const known = await fs.readFile(`${file}.json`, 'utf8').catch(() => '')
  if (known !== JSON.stringify({ key })) {
    await fs.rm(file, { force: true })
    await fs.writeFile(`${file}.json`, JSON.stringify({ key }))
  }
  await fs.appendFile(file, '')
  const handle = await fs.open(file, 'r+')
  const written = Math.max(0, (await handle.stat()).size - tileDataStart)
  const doneBytes = written >= bytes ? bytes : (tiles.findLast(({ to }) => to <= written)?.to ?? 0)
  await handle.truncate(tileDataStart + doneBytes)
  return { handle, doneBytes }
}

async function requireRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await fs.statfs(folder)
  if (bavail * bsize >= bytes * 1.02) return
  const gigabytes = (count: number) => `${(count / 1e9).toFixed(1)} GB`
  throw new UserFacingError(`The streets need ${gigabytes(bytes)}, but ${folder} has only ${gigabytes(bavail * bsize)} left.`)
}

type CopyOptions = Pick<SourceSettings, 'signal'> & { onBytes: ((count: number) => void) | undefined }

async function copyTiles(
  source: TileSource,
  header: Header,
  { tiles }: Layout,
  part: Part,
  { signal, onBytes }: CopyOptions,
): Promise<void> {
  const requests = requestsFor(tiles.filter(({ to }) => to >= part.doneBytes))
  for (let next = 0; next < requests.length; next += requestsAtOnce) {
    signal?.throwIfAborted()
    const group = requests.slice(next, next + requestsAtOnce)
    const answers = await Promise.all(group.map(({ from, end }) => source.getBytes(header.tileDataOffset + from, end - from)))
    for (const [i, { tiles, from }] of group.entries()) {
      const bytes = Buffer.from(answers[i]?.data as ArrayBuffer)
      const wanted = Buffer.concat(tiles.map((tile) => bytes.subarray(tile.from - from, tile.from - from + tile.length)))
      await part.handle.write(wanted, 0, wanted.length, tileDataStart + (tiles[0] as Tile).to)
      onBytes?.(wanted.length)
    }
  }
}

type TileRequest = { from: number; end: number; tiles: Tile[] }

function requestsFor(tiles: readonly Tile[]): TileRequest[] {
  const requests: TileRequest[] = []
  for (const tile of tiles) {
    const last = requests.at(-1)
    const end = tile.from + tile.length
    if (last && tile.from - last.end <= maxGapBytes && end - last.from <= maxRequestBytes) {
      last.tiles.push(tile)
      last.end = Math.max(last.end, end)
    } else {
      requests.push({ from: tile.from, end, tiles: [tile] })
    }
  }
  return requests
}

type Finish = { source: Header; metadata: Record<string, unknown>; entries: readonly Entry[]; tiles: Layout; region: Region; zoom: number }

/** Writes directories and metadata after the tiles, and the header last. Without the header, the file isn't an archive. */
async function finish(handle: fs.FileHandle, { source, metadata, entries, tiles, region, zoom }: Finish): Promise<number> {
  const moved = entries.map((entry) => ({ ...entry, offset: tiles.placeOf.get(entry.offset) as number }))
  const { root, leaves } = await writeDirectories(moved)
  const about = await writeMetadata({ ...metadata, [regionKey]: region })
  const leafStart = tileDataStart + tiles.bytes
  await handle.write(leaves, 0, leaves.length, leafStart)
  await handle.write(about, 0, about.length, leafStart + leaves.length)
  const bounds = boundsOf(region)
  const header = writeHeader({
    ...source,
    rootDirectoryOffset: rootStart,
    rootDirectoryLength: root.length,
    leafDirectoryOffset: leafStart,
    leafDirectoryLength: leaves.length,
    jsonMetadataOffset: leafStart + leaves.length,
    jsonMetadataLength: about.length,
    tileDataOffset: tileDataStart,
    tileDataLength: tiles.bytes,
    numAddressedTiles: countOf(entries),
    numTileEntries: entries.length,
    numTileContents: tiles.tiles.length,
    internalCompression: Compression.Gzip,
    maxZoom: zoom,
    minLon: bounds.west,
    minLat: bounds.south,
    maxLon: bounds.east,
    maxLat: bounds.north,
    centerLon: (bounds.west + bounds.east) / 2,
    centerLat: (bounds.south + bounds.north) / 2,
    centerZoom: Math.min(source.centerZoom, zoom),
  })
  await handle.write(Buffer.concat([header, root]), 0, header.length + root.length, 0)
  return leafStart + leaves.length + about.length
}
