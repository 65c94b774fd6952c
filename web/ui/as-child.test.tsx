import { isValidElement, type ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { AsChild } from './as-child.ts'

test('lends classes and attributes; what the child says itself stays', () => {
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

test('both are told of an event, the child first; a ref that only one has is kept', () => {
  const told: string[] = []
  const ref = () => {}
  const child = AsChild({
    ref,
    onClick: (event: string) => told.push(`lent ${event}`),
    onFocus: () => told.push('focus'),
    children: <button type="button" onClick={(event) => told.push(`own ${event}`)} />,
  }) as ReactElement<{ ref: unknown; onClick(event: string): void; onFocus(): void }>
  child.props.onClick('press')
  child.props.onFocus()
  expect(told).toEqual(['own press', 'lent press', 'focus'])
  expect(child.props.ref).toBe(ref)
})

test('says what it needs', () => {
  expect(() => AsChild({ children: 'text' })).toThrow('one element')
  expect(() => AsChild({ children: [<b key="1" />, <b key="2" />] })).toThrow('one element')
  expect(isValidElement(AsChild({ children: <b /> }))).toBe(true)
})
