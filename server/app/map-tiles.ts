import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'

const tilesPath = '/map.pmtiles'
const isRemote = (address: string) => /^https?:/.test(address)

/** `npm run map:streets` writes this file. The map shows it unless other tiles are configured. */
export const streetsFile = ({ dataDir }: Pick<Config, 'dataDir'>): string => path.join(dataDir, 'streets.pmtiles')

/** Null if the tiles are elsewhere. The file may be missing, because streets can be installed while the server runs. */
function localFile({ map, dataDir }: Pick<Config, 'map' | 'dataDir'>): string | null {
  if (map.pmtiles) return isRemote(map.pmtiles) ? null : map.pmtiles
  return map.tileUrl ? null : streetsFile({ dataDir })
}

/** A PMTiles file's header and root directory are within this many bytes from its start. */
const headBytes = 16_384

const versions = new Map<string, { stamp: string; version: string }>()

/** The same on all nodes with the same archive, because a page's requests may go to several. Computed again when the file changes. */
function versionOf(file: string): string | null {
  const stats = fs.statSync(file, { throwIfNoEntry: false })
  if (!stats?.isFile()) return null
  const stamp = `${stats.size} ${stats.mtimeMs}`
  const known = versions.get(file)
  if (known?.stamp === stamp) return known.version
  const head = Buffer.alloc(headBytes)
  const handle = fs.openSync(file, 'r')
  const length = fs.readSync(handle, head, 0, headBytes, 0)
  fs.closeSync(handle)
  const version = `${stats.size.toString(36)}-${createHash('sha256').update(head.subarray(0, length)).digest('hex').slice(0, 16)}`
  versions.set(file, { stamp, version })
  return version
}

/** URL of the file with all of the map's tiles, or null if there is none. Changes with the file. */
export function tileArchiveUrl(config: Pick<Config, 'map' | 'dataDir'>): string | null {
  if (config.map.pmtiles && isRemote(config.map.pmtiles)) return config.map.pmtiles
  const file = localFile(config)
  const version = file && versionOf(file)
  return version ? `${tilesPath}?v=${version}` : null
}

/** Serves byte ranges of the file. Requires `reply.sendFile`, which the plugin for static files adds. */
export function addMapTiles(app: FastifyInstance, config: Config): void {
  app.get<{ Querystring: { v?: string } }>(tilesPath, async (request, reply) => {
    const file = localFile(config)
    // A page opened before the file was replaced has the old directories, but the new file stores the tiles elsewhere.
    if (!file || request.query.v !== versionOf(file)) return reply.status(404).header('cache-control', 'no-store').send()
    return reply.sendFile(file, '/')
  })
}
