import { X } from 'lucide-react'
import * as Primitive from 'radix-ui/toast'
import { IconButton } from './button.tsx'
import { buttonClass } from './button-class.ts'
import { cx } from './cx.ts'
import { type Toast, toast, toastDuration } from './toast-store.ts'

type ToastViewportProps = { toasts: readonly Toast[]; onDismiss: (id: string) => void }

/**
 * Lets focus move from an open dialog to the toasts, and back when a toast closes. A dialog traps focus with listeners on the document, so
 * this stops the events below it, but above `body`, where React listens.
 */
function openFocusTrap(viewport: HTMLElement | null) {
  const region = viewport?.parentElement
  if (!region) return
  const isInside = (target: EventTarget | null) => target instanceof Node && region.contains(target)
  let outside: EventTarget | null = null
  const pass = (event: FocusEvent) => {
    const { type, target, relatedTarget } = event
    if (!isInside(type === 'focusin' ? target : relatedTarget)) return
    event.stopPropagation()
    if (type === 'focusout') return
    if (!isInside(relatedTarget)) outside = relatedTarget
    // When a toast that has focus closes, the viewport gets the focus but is empty, so move it back.
    else if (target === viewport && outside instanceof HTMLElement) outside.focus({ preventScroll: true })
  }
  const root = document.documentElement
  root.addEventListener('focusin', pass)
  root.addEventListener('focusout', pass)
  return () => {
    root.removeEventListener('focusin', pass)
    root.removeEventListener('focusout', pass)
  }
}

/** F8 moves focus here. Swiping 50 px to the right dismisses a toast. A bottom bar sets `--bottom-bar` to its height. */
export default function ToastViewport({ toasts, onDismiss }: ToastViewportProps) {
  return (
    <Primitive.Provider duration={toastDuration} swipeDirection="right" swipeThreshold={50}>
      {toasts.map(({ id, title, description, variant, action, open }) => (
        <Primitive.Root
          key={id}
          open={open}
          onOpenChange={(next) => !next && onDismiss(id)}
          className={cx(
            'pointer-events-auto flex w-full items-center gap-3 rounded-card border bg-raised py-2.5 pr-2 pl-4 text-ink shadow-lift data-[state=closed]:animate-leave data-[state=open]:animate-arrive data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform data-[swipe=end]:animate-leave',
            variant === 'destructive' ? 'border-clay' : 'border-line',
          )}
        >
          <span
            aria-hidden="true"
            className={cx('-ml-1 w-1 self-stretch rounded-full', variant === 'destructive' ? 'bg-clay' : 'bg-leaf')}
          />
          <div className="min-w-0 flex-1 py-0.5">
            <Primitive.Title className="font-semibold text-[0.9375rem]">{title}</Primitive.Title>
            {description && <Primitive.Description className="text-muted text-sm">{description}</Primitive.Description>}
          </div>
          {action && (
            <Primitive.Action altText={action.label} onClick={action.onClick} className={buttonClass('secondary', 'sm')}>
              {action.label}
            </Primitive.Action>
          )}
          <Primitive.Close asChild>
            <IconButton label="Dismiss" size="sm">
              <X />
            </IconButton>
          </Primitive.Close>
        </Primitive.Root>
      ))}
      {/* At the top on phones, because form buttons are at the bottom. At the left on wide screens, because the guide is on the right. */}
      <Primitive.Viewport
        ref={openFocusTrap}
        hotkey={['F8']}
        className="pointer-events-none fixed top-[env(safe-area-inset-top)] left-0 z-60 flex w-full max-w-md flex-col p-4 outline-none sm:top-auto sm:bottom-[calc(var(--bottom-bar,0px)+env(safe-area-inset-bottom))]"
      />
    </Primitive.Provider>
  )
}

export const toastOtherAccount = () =>
  toast({
    title: 'Someone else is signed in now',
    description: 'Nothing was saved. Sign in as yourself in another tab and try again, or reload this page to use their account.',
    variant: 'destructive',
    action: { label: 'Reload', onClick: () => location.reload() },
  })
