type Named = { id: string; name: string; location: string | null; address: string | null }

/**
 * What to call each business where a person chooses among them: its name, followed by its city if another has the same name, and by its
 * street as well if another is in that city.
 */
export function tellApart(businesses: readonly Named[]): Map<string, string> {
  const labels = new Map(businesses.map(({ id, name }) => [id, name]))
  const add = (more: (business: Named) => string | null) => {
    const taken = new Map<string, number>()
    for (const label of labels.values()) taken.set(key(label), (taken.get(key(label)) ?? 0) + 1)
    for (const business of businesses) {
      const label = labels.get(business.id) as string
      const addition = more(business)
      if ((taken.get(key(label)) ?? 0) > 1 && addition) labels.set(business.id, `${label}, ${addition}`)
    }
  }
  add(({ location }) => location)
  add(({ address }) => address)
  return labels
}

const key = (label: string) => label.trim().toLowerCase()
