import { useState } from 'react'

/**
 * State of a field synchronized with the address. Typed text runs ahead of the address; changes of the address from elsewhere (Back, a
 * link, the header's search) update the field.
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
    /** Marks text as sent, so that its arrival in the address isn't mistaken for an outside change. */
    send: setSent,
  }
}
