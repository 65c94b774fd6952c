import fc from 'fast-check'
import { expect, test, vi } from 'vitest'

/** State and refs of the one hook under test, in order of their calls. */
const hook = vi.hoisted(() => ({ slots: [] as unknown[], next: 0, effect: () => {} }))
vi.mock('react', () => {
  const slot = (first: () => unknown): number => {
    const at = hook.next++
    if (at === hook.slots.length) hook.slots.push(first())
    return at
  }
  return {
    useState: (first: unknown) => {
      const at = slot(() => first)
      const set = (value: unknown) => void hook.slots.splice(at, 1, value)
      return [hook.slots[at], set]
    },
    useRef: (current: unknown) => hook.slots[slot(() => ({ current }))],
    useEffect: (effect: () => void) => {
      hook.effect = effect
    },
  }
})

const { formatTsv, parseTsv, useGrid: callGrid } = await import('./use-grid.ts')

/** A table of 3 × 3 empty cells. `focused` is the cell that received focus last. */
function createGrid() {
  Object.assign(hook, { slots: [], next: 0 })
  const page = { focused: '' }
  const cellAt = (name: string) => ({ dataset: { cell: name }, closest: () => ({ dataset: { cell: name } }) })
  const focusing = (selector: string) => () => {
    page.focused = /\d:\d/.exec(selector)?.[0] ?? ''
  }
  const root = { current: { querySelector: (selector: string) => ({ focus: focusing(selector) }) } }
  const act = (work: (grid: ReturnType<typeof callGrid>) => void) => {
    const render = () => {
      hook.next = 0
      const grid = callGrid({
        root: root as never,
        rows: [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
        columns: 3,
        textAt: () => '',
        write: () => {},
        onUndo: () => {},
        onRedo: () => {},
        pageRows: () => 3,
        reveal: () => {},
      })
      hook.effect()
      return grid
    }
    work(render())
    return render()
  }
  const event = (more: object) => ({ preventDefault: () => {}, button: 0, ...more }) as never
  return {
    page,
    press: (cell: string, shiftKey = false) => act(({ props }) => props.onPointerDown(event({ target: cellAt(cell), shiftKey }))),
    tap: (cell: string) => act(({ props }) => props.onClick(event({ target: cellAt(cell), nativeEvent: { pointerType: 'touch' } }))),
    paste: (text: string) => act(({ props }) => props.onPaste(event({ clipboardData: { getData: () => text } }))),
  }
}

test('focuses the first pasted cell, which is then active', () => {
  const grid = createGrid()
  grid.press('1:1')
  grid.press('2:2', true)
  expect(grid.page.focused).toBe('2:2')
  expect(grid.paste('a\tb').active).toEqual({ row: 1, column: 1 })
  expect(grid.page.focused).toBe('1:1')
})

test('starts an edit on a tap, because touch screens don’t have a double click', () => {
  const grid = createGrid()
  grid.press('1:1')
  expect(grid.tap('1:1').editing).toEqual({ seed: null })
})

test('reads cells copied from Excel', () => {
  expect(parseTsv('Blue Dream\t35\r\nOG Kush\t40\r\n')).toEqual([
    ['Blue Dream', '35'],
    ['OG Kush', '40'],
  ])
  expect(parseTsv('"two\nlines"\t"say ""hi"""')).toEqual([['two\nlines', 'say "hi"']])
  expect(parseTsv('one')).toEqual([['one']])
  expect(parseTsv('')).toEqual([['']])
  expect(parseTsv('a\t\tb\n\nc')).toEqual([['a', '', 'b'], [''], ['c']])
})

test('reads a stray quote literally', () => {
  expect(parseTsv('7" grinder\t12')).toEqual([['7" grinder', '12']])
  expect(parseTsv('"open\tend')).toEqual([['"open', 'end']])
})

test('never exports a formula', () => {
  expect(formatTsv([['=HYPERLINK("x")', '-1', '+1', '@x', '35']])).toBe('"\'=HYPERLINK(""x"")"\t\'-1\t\'+1\t\'@x\t35')
})

test('pastes copied cells unchanged', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', '\t', '\n', '=', '-', ' ', '1') })
  // Only an apostrophe before a formula sign is lost. Rows of a copied range have equal length.
  const table = fc
    .integer({ min: 2, max: 4 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }))
  fc.assert(
    fc.property(table, (rows) => {
      expect(parseTsv(formatTsv(rows))).toEqual(rows)
    }),
  )
})
