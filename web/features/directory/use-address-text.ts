import { useState } from 'react'

/**
 * The text of a field whose truth stands in the page's address. What is typed runs ahead of the address; what comes into the address from
 * elsewhere (Back, a link, the header's search) goes into the field.
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
    /** This text is on its way into the address. */
    send: setSent,
  }
}
