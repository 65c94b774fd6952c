type Link = { id: string; correctsId: string | null }

/** Current observations, each with the ones it corrected, latest first. Keeps the order of current observations. */
export function observationChains<Each extends Link & { isCurrent: boolean }>(all: readonly Each[]): { last: Each; corrected: Each[] }[] {
  const byId = new Map(all.map((each) => [each.id, each]))
  return all
    .filter(({ isCurrent }) => isCurrent)
    .map((last) => {
      const corrected: Each[] = []
      for (let before = last.correctsId; before !== null; ) {
        const found = byId.get(before)
        // On a page not loaded yet.
        if (!found) break
        corrected.push(found)
        before = found.correctsId
      }
      return { last, corrected }
    })
}
