import type { ComponentProps, KeyboardEvent } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import type { Input } from './input.tsx'

type InputProps = ComponentProps<typeof Input>

const rendered = vi.hoisted(() => ({ props: null as unknown }))
vi.mock('./input.tsx', () => ({
  Input: (props: unknown) => {
    rendered.props = props
    return null
  },
}))

const { Combobox } = await import('./combobox.tsx')

/** Presses Escape in a field without an open list. `isHandled` means that a surrounding dialog already handled the key. */
function pressEscape(value: string, isHandled: boolean) {
  const onValueChange = vi.fn()
  renderToString(
    <Combobox
      aria-label="City"
      value={value}
      onValueChange={onValueChange}
      loadOptions={async () => []}
      optionKey={String}
      optionText={String}
      onSelect={() => {}}
    />,
  )
  const event = { key: 'Escape', nativeEvent: {}, defaultPrevented: isHandled, preventDefault: vi.fn(), stopPropagation: vi.fn() }
  ;(rendered.props as InputProps).onKeyDown?.(event as unknown as KeyboardEvent<HTMLInputElement>)
  return { onValueChange, event }
}

test('clears its text on Escape if no list is open', () => {
  const { onValueChange, event } = pressEscape('Denver', false)
  expect(onValueChange).toHaveBeenCalledExactlyOnceWith('')
  expect(event.stopPropagation).toHaveBeenCalledOnce()
})

test('leaves Escape in an empty field to the elements around it', () => {
  expect(pressEscape('', false).event.preventDefault).not.toHaveBeenCalled()
})

test('keeps its text if Escape closes the dialog around it', () => {
  expect(pressEscape('Denver', true).onValueChange).not.toHaveBeenCalled()
})
