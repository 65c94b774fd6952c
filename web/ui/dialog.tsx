import { X } from 'lucide-react'
import * as Primitive from 'radix-ui/dialog'
import { type ComponentProps, type ReactNode, useRef } from 'react'
import { Button } from './button.tsx'
import { cx } from './cx.ts'
import { focusAgain, whatOpened } from './dialog-focus.ts'
import { IconButton } from './icon-button.tsx'

/** Root: `open` and `onOpenChange`, or left alone with a {@link DialogTrigger} inside. */
export const Dialog = Primitive.Root
export const DialogTrigger = Primitive.Trigger
export const DialogClose = Primitive.Close

const widths = { sm: 'sm:max-w-md', md: 'sm:max-w-xl', lg: 'sm:max-w-3xl' }

type DialogContentProps = Omit<ComponentProps<typeof Primitive.Content>, 'title'> & {
  title: ReactNode
  description?: ReactNode
  size?: keyof typeof widths | undefined
  /** Buttons under the content; they stay in view. */
  actions?: ReactNode
}

/**
 * The sheet itself: centered on a wide screen, risen from below on a phone. Escape, the cross and a press outside close it.
 *
 * The scrim is ours, not Radix's: theirs locks the page by adding a style element, which the content security policy refuses. Ours carries
 * `data-scroll-lock`, which base.css answers.
 *
 * Closed, it gives the focus back to where it was. Radix goes to a {@link DialogTrigger} alone, and most dialogs here have none.
 */
export function DialogContent({
  title,
  description,
  size = 'sm',
  actions,
  className,
  children,
  onOpenAutoFocus,
  onCloseAutoFocus,
  ...props
}: DialogContentProps) {
  const opener = useRef<Element>(null)
  return (
    <Primitive.Portal>
      <div
        data-scroll-lock=""
        className="pointer-events-auto fixed inset-0 z-50 grid animate-fade items-end overflow-hidden bg-scrim has-[>[data-state=closed]]:animate-unfade sm:items-center sm:p-6"
      >
        <Primitive.Content
          className={cx(
            'mx-auto flex max-h-[92dvh] w-full flex-col rounded-t-[1.125rem] bg-raised text-ink shadow-lift data-[state=closed]:animate-leave data-[state=open]:animate-arrive sm:max-h-[86dvh] sm:rounded-card sm:border sm:border-line',
            widths[size],
            className,
          )}
          {...props}
          onOpenAutoFocus={(event) => {
            opener.current = whatOpened()
            onOpenAutoFocus?.(event)
          }}
          onCloseAutoFocus={(event) => {
            onCloseAutoFocus?.(event)
            if (event.defaultPrevented) return
            event.preventDefault()
            focusAgain(opener.current)
          }}
          // Without a description Radix would point at nothing.
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <div className="flex items-start justify-between gap-4 px-5 pt-5 pb-3 sm:px-6">
            <div className="grid gap-1">
              <Primitive.Title className="text-xl">{title}</Primitive.Title>
              {description && <Primitive.Description className="text-muted text-sm">{description}</Primitive.Description>}
            </div>
            <Primitive.Close asChild>
              <IconButton label="Close" size="sm" className="-mt-0.5 -mr-1.5">
                <X />
              </IconButton>
            </Primitive.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 pt-1 pb-5 sm:px-6">{children}</div>
          {actions && (
            <div className="flex flex-col-reverse gap-2 border-line border-t px-5 pt-4 pb-[max(1rem,env(safe-area-inset-bottom))] sm:flex-row sm:justify-end sm:px-6">
              {actions}
            </div>
          )}
        </Primitive.Content>
      </div>
    </Primitive.Portal>
  )
}

/** The first of a dialog's actions: closes it, and nothing has happened. */
export const DialogCancel = ({ children = 'Cancel' }: { children?: string }) => (
  <DialogClose asChild>
    <Button variant="secondary">{children}</Button>
  </DialogClose>
)
