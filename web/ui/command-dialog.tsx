import * as Primitive from 'radix-ui/dialog'
import { type ReactNode, useRef } from 'react'
import { focusAgain, whatOpened } from './dialog-focus.ts'

type CommandDialogProps = {
  onClose: () => void
  /** Said to screen readers; what is seen begins with the field. */
  title: string
  /** A link was followed: the focus goes on into the page and not back to where it was. */
  hasFollowed: () => boolean
  children: ReactNode
}

/**
 * A dialog that is one field with a list under it: near the top of a wide screen, all of a phone's. Its first field takes the focus.
 * The scrim is ours for the reason told in dialog.tsx.
 */
export function CommandDialog({ onClose, title, hasFollowed, children }: CommandDialogProps) {
  const opener = useRef<Element>(null)
  return (
    <Primitive.Root open onOpenChange={(open) => !open && onClose()}>
      <Primitive.Portal>
        <div
          data-scroll-lock=""
          className="pointer-events-auto fixed inset-0 z-50 flex animate-fade flex-col overflow-hidden bg-scrim sm:px-6 sm:pt-[min(16vh,9rem)] sm:pb-6"
        >
          <Primitive.Content
            aria-describedby={undefined}
            className="mx-auto flex min-h-0 w-full flex-col bg-raised text-ink max-sm:h-dvh max-sm:pb-[env(safe-area-inset-bottom)] sm:max-h-[min(36rem,100%)] sm:max-w-2xl sm:animate-appear sm:overflow-clip sm:rounded-card sm:border sm:border-line sm:shadow-lift"
            onOpenAutoFocus={() => {
              opener.current = whatOpened()
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault()
              focusAgain(hasFollowed() ? null : opener.current)
            }}
          >
            <Primitive.Title className="sr-only">{title}</Primitive.Title>
            {children}
          </Primitive.Content>
        </div>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
