import { randomInt } from 'node:crypto'

/** Without vowels, so that no word comes of it, and without what is read for something else. */
const letters = 'BCDFGHJKMNPRSTVWXZ'

const draw = {
  letters: () => Array.from({ length: 3 }, () => letters[randomInt(letters.length)]).join(''),
  digits: () => String(randomInt(10, 100)),
}

/** So many names, each once, that tell nothing of what is in the jar. */
export function drawJarNames(count: number, kind: keyof typeof draw): string[] {
  const names = new Set<string>()
  while (names.size < count) names.add(draw[kind]())
  return [...names]
}

/** In an order that nobody chose (Fisher and Yates): ids that are made one after the other would tell of the one they were asked for in. */
export function shuffled<Item>(items: readonly Item[]): Item[] {
  const order = [...items]
  for (let i = order.length - 1; i > 0; i--) {
    const j = randomInt(i + 1)
    ;[order[i], order[j]] = [order[j] as Item, order[i] as Item]
  }
  return order
}
