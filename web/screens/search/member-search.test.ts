import { afterEach, expect, it, vi } from 'vitest'
import { collectTyping } from './member-search.tsx'

afterEach(() => vi.unstubAllGlobals())

/** Types keys and returns those that still reach the page. */
function startTyping() {
  const page = new EventTarget()
  vi.stubGlobal('window', page)
  return (keys: readonly string[]) =>
    keys.filter((key) => page.dispatchEvent(Object.assign(new Event('keydown', { cancelable: true }), { key })))
}

it('collects letters, applies Backspace, and passes other keys through', () => {
  const type = startTyping()
  const take = collectTyping()
  expect(type(['g', 'r', 'x', 'Backspace', 'e', 'Escape'])).toEqual(['Escape'])
  expect(take()).toBe('gre')
})

it('stops once its text is used, even if the palette was opened twice', () => {
  const type = startTyping()
  const takes = [collectTyping(), collectTyping()]
  type(['a'])
  expect(takes[1]?.()).toBe('a')
  expect(type(['b'])).toEqual(['b'])
})
