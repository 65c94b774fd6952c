import { unzipSync } from 'fflate'

/** The files of a ZIP, by name. */
export const unzip = (archive: Buffer): Map<string, Buffer> =>
  new Map(Object.entries(unzipSync(archive)).map(([name, bytes]) => [name, Buffer.from(bytes)]))
