import { useState } from 'react'

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
