/** Runs `work` for 0 to `count` - 1, `lanes` at a time. */
export async function inLanes<Answer>(lanes: number, count: number, work: (i: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  let next = 0
  const lane = async () => {
    for (let i = next++; i < count; i = next++) answers[i] = await work(i)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return answers
}
