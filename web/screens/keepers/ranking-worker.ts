import { prepareRanking, type RankingInput } from '#agronomy/prepare-ranking.ts'

// Takes up to a second for hundreds of phenotypes and dozens of traits, which would freeze the page.
self.onmessage = ({ data }: MessageEvent<RankingInput>) => {
  const prepared = prepareRanking(data)
  self.postMessage(prepared, { transfer: prepared.traits.map(({ worths }) => worths.buffer) })
}
