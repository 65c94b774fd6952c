import { fuzzPictures } from '../tests/support/fuzz-pictures.ts'

/** `npm run fuzz:images -- 10000 [seed]`: damaged pictures through the whole pipeline; fails when one crashes it or keeps a secret. */
const count = Number(process.argv[2] ?? 10_000)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)

console.log(`${count} pictures, seed ${seed}`)
const result = await fuzzPictures(count, seed, (done) => {
  if (done % 1000 === 0) console.log(`${done} …`)
})
const { faults, ...figures } = result
console.log({ ...figures, seconds: Math.round(figures.seconds), faults: faults.length })
for (const fault of faults.slice(0, 20)) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : 0
