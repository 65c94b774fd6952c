import fs from 'node:fs'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'

const tilesPath = '/map.pmtiles'
const isRemote = (address: string) => /^https?:/.test(address)

/** Where `npm run map:streets` puts the streets that the map shows if no other tiles are configured. */
export const streetsFile = ({ dataDir }: Pick<Config, 'dataDir'>): string => path.join(dataDir, 'streets.pmtiles')

/** The file that this server sends, if any. Streets can be installed while it runs. */
function localFile({ map, dataDir }: Pick<Config, 'map' | 'dataDir'>): string | null {
  if (map.pmtiles) return isRemote(map.pmtiles) ? null : map.pmtiles
  return map.tileUrl ? null : streetsFile({ dataDir })
}

function versionOf(file: string): string | null {
  const stats = fs.statSync(file, { throwIfNoEntry: false })
  return stats?.isFile() ? `${stats.size.toString(36)}-${Math.round(stats.mtimeMs).toString(36)}` : null
}

/** The address of the map's tiles in one file; null if there is none. It changes with the file. */
export function tileArchiveUrl(config: Pick<Config, 'map' | 'dataDir'>): string | null {
  if (config.map.pmtiles && isRemote(config.map.pmtiles)) return config.map.pmtiles
  const file = localFile(config)
  const version = file && versionOf(file)
  return version ? `${tilesPath}?v=${version}` : null
}

/** Sends the parts that the map asks for. Needs the static files' `sendFile`. */
export function addMapTiles(app: FastifyInstance, config: Config): void {
  app.get<{ Querystring: { v?: string } }>(tilesPath, async (request, reply) => {
    const file = localFile(config)
    // A page that is still open may know the directories of a file that was replaced; its parts are elsewhere in the new one.
    if (!file || request.query.v !== versionOf(file)) return reply.status(404).header('cache-control', 'no-store').send()
    return reply.sendFile(file, '/')
  })
}
