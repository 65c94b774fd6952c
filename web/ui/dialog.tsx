import { useRouter } from '@tanstack/react-router'
import { X } from 'lucide-react'
import * as Primitive from 'radix-ui/dialog'
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react'
import { Button, IconButton } from './button.tsx'
import { cx } from './cx.ts'
import { findOpener, focusAgain } from './focus.ts'

/** Pass `open` and `onOpenChange`, or nothing with a {@link DialogTrigger} inside. */
export const Dialog = Primitive.Root
export const DialogTrigger = Primitive.Trigger
export const DialogClose = Primitive.Close

const widths = { sm: 'sm:max-w-md', md: 'sm:max-w-xl', lg: 'sm:max-w-3xl' }

type DialogContentProps = Omit<ComponentProps<typeof Primitive.Content>, 'title'> & {
  title: ReactNode
  description?: ReactNode
  size?: keyof typeof widths | undefined
  actions?: ReactNode
  /** Whether the URL contains the open state, so Back closes the dialog anyway. */
  isInAddress?: boolean
}

/** A browser API: pressing Back on Android closes the newest watcher. */
type CloseWatcher = { onclose: (() => void) | null; destroy: () => void }

/**
 * Goes inside a dialog's content. On touch screens, Back closes the dialog instead of leaving the page and losing what was typed. In
 * browsers without close watchers, this works only if the page isn't the first in its tab.
 */
export function CloseOnBack() {
  const { history } = useRouter()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!matchMedia('(pointer: coarse)').matches) return
    const close = () => button.current?.click()
    const { CloseWatcher } = window as { CloseWatcher?: new () => CloseWatcher }
    const watcher = CloseWatcher && new CloseWatcher()
    if (watcher) watcher.onclose = close
    const unblock = history.block({
      enableBeforeUnload: false,
      blockerFn: ({ action }) => {
        const front = [...document.querySelectorAll('[data-scroll-lock] > [data-state="open"]')].at(-1)
        if (action !== 'BACK' || !front?.contains(button.current)) return false
        // The router now returns to this page. Closing before that could navigate from the wrong history entry.
        addEventListener('popstate', close, { once: true })
        return true
      },
    })
    return () => {
      watcher?.destroy()
      unblock()
    }
  }, [history])
  return <Primitive.Close ref={button} hidden />
}

/**
 * Centered on wide screens, a bottom sheet on phones. Escape, the close button and a click outside close it. If a suggestion list is open,
 * Escape closes only that.
 *
 * The scrim replaces Radix's, which locks scrolling with a style element that the content security policy blocks. Ours has
 * `data-scroll-lock`, which base.css handles.
 *
 * Restores focus on close. Radix only does so for a {@link DialogTrigger}, which most dialogs here lack.
 */
export function DialogContent({
  title,
  description,
  size = 'sm',
  actions,
  isInAddress = false,
  className,
  children,
  onOpenAutoFocus,
  onCloseAutoFocus,
  onEscapeKeyDown,
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
            opener.current = findOpener()
            onOpenAutoFocus?.(event)
          }}
          onCloseAutoFocus={(event) => {
            onCloseAutoFocus?.(event)
            if (event.defaultPrevented) return
            event.preventDefault()
            focusAgain(opener.current)
          }}
          // Radix handles Escape before a combobox does, so the combobox can't keep the dialog open.
          onEscapeKeyDown={(event) => {
            onEscapeKeyDown?.(event)
            if (document.activeElement?.matches('[role="combobox"][aria-expanded="true"]')) event.preventDefault()
          }}
          // Without a description, Radix would reference a missing element.
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          {!isInAddress && <CloseOnBack />}
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

export const DialogCancel = ({ children = 'Cancel' }: { children?: string }) => (
  <DialogClose asChild>
    <Button variant="secondary">{children}</Button>
  </DialogClose>
)

type ConfirmDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** A question that names the subject: "Delete “Summer harvest”?" */
  title: string
  /** What will be lost, in one or two sentences. */
  children: ReactNode
  /** Begins with the question's verb: "Delete post". */
  confirmText: string
  onConfirm: () => void
  pending?: boolean | undefined
  pendingText?: string | undefined
}

/** Only for actions that people can't undo. Others should take effect immediately and offer Undo. */
export function ConfirmDialog({ open, onOpenChange, title, children, confirmText, onConfirm, pending, pendingText }: ConfirmDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        role="alertdialog"
        title={title}
        onPointerDownOutside={(event) => event.preventDefault()}
        actions={
          <>
            <DialogCancel />
            {/* A second tap can arrive while the dialog fades out, so ignore it. */}
            <Button variant="danger" onClick={() => open && onConfirm()} pending={pending} pendingText={pendingText}>
              {confirmText}
            </Button>
          </>
        }
      >
        <div className="text-muted">{children}</div>
      </DialogContent>
    </Dialog>
  )
}
