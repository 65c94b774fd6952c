import { prepareRanking, type RankingInput } from '#agronomy/prepare-ranking.ts'

// Ranking hundreds of phenotypes by dozens of traits takes up to a second, which would freeze the page.
self.onmessage = ({ data }: MessageEvent<RankingInput>) => {
  const prepared = prepareRanking(data)
  self.postMessage(prepared, { transfer: prepared.traits.map(({ worths }) => worths.buffer) })
}
