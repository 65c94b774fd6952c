import fs from 'node:fs'
import path from 'node:path'
import { fuzzPictures } from '#tests/support/fuzz-pictures.ts'

/**
 * `npm run fuzz:images -- 10000 [seed] [folder]`: runs damaged pictures through the whole pipeline; fails if one crashes it or leaks
 * metadata. Pictures in the folder, such as photos of real cameras, are processed intact and damaged, in addition to our own.
 */
const count = Number(process.argv[2] ?? 10_000)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
const folder = process.argv[4]
const photos = folder ? fs.readdirSync(folder).map((name) => fs.readFileSync(path.join(folder, name))) : []

console.log(`${count} pictures, seed ${seed}, and ${photos.length} photos`)
const result = await fuzzPictures(count, seed, {
  photos,
  onProgress: (done) => {
    if (done % 1000 === 0) console.log(`${done} …`)
  },
})
const { faults, ...figures } = result
console.log({ ...figures, seconds: Math.round(figures.seconds), faults: faults.length })
for (const fault of faults.slice(0, 20)) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : 0
