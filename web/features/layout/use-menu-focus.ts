import { useRef, useState } from 'react'

/**
 * State and focus of a panel of links that opens over the page. Opening it focuses the panel itself, so that the Tab key starts at its top.
 * Following a link leaves the focus to the new screen; closing it otherwise gives the focus back to the button.
 */
export function useMenuFocus() {
  const [isOpen, setOpen] = useState(true)
  const hasFollowed = useRef(false)
  return {
    root: {
      open: isOpen,
      onOpenChange: (open: boolean) => {
        if (open) hasFollowed.current = false
        setOpen(open)
      },
    },
    content: {
      onOpenAutoFocus: (event: Event) => {
        event.preventDefault()
        if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
      },
      onCloseAutoFocus: (event: Event) => {
        if (hasFollowed.current) event.preventDefault()
      },
    },
    onFollow: () => {
      hasFollowed.current = true
    },
  }
}
