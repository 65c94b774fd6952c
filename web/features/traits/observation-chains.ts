type Link = { id: string; correctsId: string | null }

/** What stands, each with what it corrected, the last before it first. In the order of what stands. */
export function observationChains<Each extends Link & { isCurrent: boolean }>(all: readonly Each[]): { last: Each; corrected: Each[] }[] {
  const byId = new Map(all.map((each) => [each.id, each]))
  return all
    .filter(({ isCurrent }) => isCurrent)
    .map((last) => {
      const corrected: Each[] = []
      for (let before = last.correctsId; before !== null; ) {
        const found = byId.get(before)
        // On a page that was not read yet.
        if (!found) break
        corrected.push(found)
        before = found.correctsId
      }
      return { last, corrected }
    })
}
