import { useEffect, useEffectEvent, useRef, useState } from 'react'

/**
 * Synchronizes a field with the address. Typed text runs ahead of the address; the field follows changes from elsewhere (Back, a link, the
 * header's search).
 */
export function useAddressText(addressText: string) {
  const [text, setText] = useState(addressText)
  const [seen, setSeen] = useState(addressText)
  const [sent, setSent] = useState(addressText)
  if (addressText !== seen) {
    setSeen(addressText)
    if (addressText !== sent) {
      setText(addressText)
      setSent(addressText)
    }
  }
  return {
    text,
    setText,
    /** Marks text as sent, so its arrival in the address isn't mistaken for an outside change. */
    send: setSent,
  }
}

type Typed = { pauseMs: number; onText: (text: string) => void }

/** Sends the trimmed text once typing pauses. */
export function useTypedAddress(addressText: string, { pauseMs, onText }: Typed) {
  // Everything here changes with every keystroke, so memoizing would only add code, to Discover's first load too.
  'use no memo'
  const { text, setText, send } = useAddressText(addressText)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  function take(value = text): string {
    clearTimeout(timer.current)
    const trimmed = value.trim()
    send(trimmed)
    return trimmed
  }

  function submit(value?: string): void {
    const trimmed = take(value)
    if (trimmed !== addressText) onText(trimmed)
  }

  // Filters may change before typing pauses, so send the latest ones.
  const sendTyped = useEffectEvent((value: string) => submit(value))

  return {
    text,
    type(value: string): void {
      setText(value)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => sendTyped(value), pauseMs)
    },
    submit: () => submit(),
    clear(): void {
      setText('')
      submit('')
    },
    /** Returns the current text for the caller to send. */
    take: () => take(),
  }
}
