import { isValidElement, type ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { AsChild } from './as-child.ts'

test('merges classes and attributes, and prefers the child’s attributes', () => {
  const dressed = (
    <AsChild className="button" data-size="lg" title="lent" aria-label={undefined}>
      <a href="/rules" className="w-full" title="own" aria-label="The rules">
        Rules
      </a>
    </AsChild>
  )
  expect(renderToStaticMarkup(dressed)).toBe(
    '<a href="/rules" class="button w-full" title="own" aria-label="The rules" data-size="lg">Rules</a>',
  )
})

test('calls both event handlers, the child’s first, and keeps a ref that only one of them has', () => {
  const calls: string[] = []
  const ref = () => {}
  const child = AsChild({
    ref,
    onClick: (event: string) => calls.push(`lent ${event}`),
    onFocus: () => calls.push('focus'),
    children: <button type="button" onClick={(event) => calls.push(`own ${event}`)} />,
  }) as ReactElement<{ ref: unknown; onClick(event: string): void; onFocus(): void }>
  child.props.onClick('press')
  child.props.onFocus()
  expect(calls).toEqual(['own press', 'lent press', 'focus'])
  expect(child.props.ref).toBe(ref)
})

test('requires exactly one element', () => {
  expect(() => AsChild({ children: 'text' })).toThrow('one element')
  expect(() => AsChild({ children: [<b key="1" />, <b key="2" />] })).toThrow('one element')
  expect(isValidElement(AsChild({ children: <b /> }))).toBe(true)
})
