import type { Combined } from './combine-scores.ts'
import type { PreparedRanking } from './prepare-ranking.ts'

export type Chances = { best: Float64Array; top3: Float64Array; beatsLeader: Float64Array }

/** How often each candidate is best, in the top three, and ahead of the leader across the random draws. Ties share a place. */
export function drawStandings(prepared: PreparedRanking, { mean, own, shared }: Omit<Combined, 'total'>, leader: number): Chances {
  const { draws, normals, sharedNormals } = prepared
  const count = prepared.candidates.length
  const factors = prepared.sharedLoadings.length
  const best = new Float64Array(count)
  const top3 = new Float64Array(count)
  const beatsLeader = new Float64Array(count)
  const scores = new Float64Array(count)
  for (let draw = 0; draw < draws; draw++) {
    const start = draw * count
    for (let i = 0; i < count; i++) scores[i] = (mean[i] as number) + (own[i] as number) * (normals[start + i] as number)
    for (let f = 0; f < factors; f++) {
      const error = sharedNormals[draw * factors + f] as number
      for (let i = 0; i < count; i++) scores[i] = (scores[i] as number) + (shared[i * factors + f] as number) * error
    }
    let first = Number.NEGATIVE_INFINITY
    let second = first
    let third = first
    let fourth = first
    let firstAt = -1
    let secondAt = -1
    let thirdAt = -1
    const leading = scores[leader] as number
    for (let i = 0; i < count; i++) {
      const score = scores[i] as number
      if (score > leading) beatsLeader[i] = (beatsLeader[i] as number) + 1
      else if (score === leading) beatsLeader[i] = (beatsLeader[i] as number) + 0.5
      if (score <= third) {
        if (score > fourth) fourth = score
        continue
      }
      fourth = third
      if (score <= second) {
        third = score
        thirdAt = i
        continue
      }
      third = second
      thirdAt = secondAt
      if (score <= first) {
        second = score
        secondAt = i
        continue
      }
      second = first
      secondAt = firstAt
      first = score
      firstAt = i
    }
    if (first > second && (third > fourth || count <= 3)) {
      best[firstAt] = (best[firstAt] as number) + 1
      for (const at of [firstAt, secondAt, thirdAt]) if (at >= 0) top3[at] = (top3[at] as number) + 1
    } else shareTies(scores, first, third, best, top3)
  }
  for (let i = 0; i < count; i++) {
    best[i] = (best[i] as number) / draws
    top3[i] = (top3[i] as number) / draws
    beatsLeader[i] = (beatsLeader[i] as number) / draws
  }
  return { best, top3, beatsLeader }
}

function shareTies(scores: Float64Array, first: number, third: number, best: Float64Array, top3: Float64Array): void {
  let atFirst = 0
  let aboveThird = 0
  let atThird = 0
  for (const score of scores) {
    if (score === first) atFirst++
    if (score > third) aboveThird++
    else if (score === third) atThird++
  }
  const share = Math.min(1, (3 - aboveThird) / Math.max(atThird, 1))
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i] as number
    if (score === first) best[i] = (best[i] as number) + 1 / atFirst
    if (score > third) top3[i] = (top3[i] as number) + 1
    else if (score === third) top3[i] = (top3[i] as number) + share
  }
}
