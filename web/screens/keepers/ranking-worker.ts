import { prepareRanking, type RankingInput } from '#agronomy/prepare-ranking.ts'

// Preparing a ranking of hundreds of phenotypes by dozens of traits would freeze the page.
self.onmessage = ({ data }: MessageEvent<RankingInput>) => {
  const prepared = prepareRanking(data)
  self.postMessage(prepared, { transfer: prepared.traits.map(({ worths }) => worths.buffer) })
}
