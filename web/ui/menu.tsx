import * as Primitive from 'radix-ui/dropdown-menu'
import { type ComponentProps, createContext, use, useState } from 'react'
import { floatingClass } from './card.tsx'
import { cx } from './cx.ts'
import { focusAgain } from './focus.ts'

type MenuAnchor = { trigger: HTMLElement | null; setTrigger: (element: HTMLElement | null) => void }
const MenuContext = createContext<MenuAnchor>({ trigger: null, setTrigger: () => undefined })

/** Never modal: Radix locks scrolling of modal menus with a style element, which the content security policy blocks. */
export function Menu(props: Omit<ComponentProps<typeof Primitive.Root>, 'modal'>) {
  const [trigger, setTrigger] = useState<HTMLElement | null>(null)
  return (
    <MenuContext value={{ trigger, setTrigger }}>
      <Primitive.Root modal={false} {...props} />
    </MenuContext>
  )
}

/** Pass the menu's button with `asChild`. */
export function MenuTrigger(props: Omit<ComponentProps<typeof Primitive.Trigger>, 'ref'>) {
  return <Primitive.Trigger ref={use(MenuContext).setTrigger} {...props} />
}

export function MenuContent({
  className,
  sideOffset = 6,
  align = 'end',
  onCloseAutoFocus,
  ...props
}: ComponentProps<typeof Primitive.Content>) {
  const { trigger } = use(MenuContext)
  // At the end of the button's landmark or dialog, because content outside all landmarks is hard to find.
  const home = trigger?.closest<HTMLElement>('main, header, footer, nav, aside, [role="dialog"]')
  return (
    <Primitive.Portal container={home ?? null}>
      <Primitive.Content
        sideOffset={sideOffset}
        align={align}
        collisionPadding={8}
        className={cx(
          floatingClass,
          'max-h-(--radix-dropdown-menu-content-available-height) min-w-52 max-w-[min(22rem,calc(100vw-1rem))] overflow-y-auto p-1.5',
          className,
        )}
        {...props}
        // Radix returns focus to the button, which no longer exists if the chosen item removed it.
        onCloseAutoFocus={(event) => {
          onCloseAutoFocus?.(event)
          if (!trigger?.isConnected) focusAgain(null)
        }}
      />
    </Primitive.Portal>
  )
}

type MenuItemProps = ComponentProps<typeof Primitive.Item> & { danger?: boolean | undefined }

export function MenuItem({ danger, className, ...props }: MenuItemProps) {
  return (
    <Primitive.Item
      className={cx(
        'flex min-h-9 cursor-pointer items-center gap-2.5 rounded-[0.5rem] px-2.5 py-1.5 text-[0.9375rem] outline-none data-disabled:cursor-not-allowed data-highlighted:bg-sunk data-disabled:text-muted data-disabled:opacity-60 pointer-coarse:min-h-11 [&_svg]:size-4.5 [&_svg]:shrink-0',
        danger ? 'text-clay data-highlighted:bg-clay-soft' : '[&_svg]:text-muted',
        className,
      )}
      {...props}
    />
  )
}

export function MenuLabel({ className, ...props }: ComponentProps<typeof Primitive.Label>) {
  return <Primitive.Label className={cx('px-2.5 py-1.5 text-muted text-sm', className)} {...props} />
}

export function MenuSeparator() {
  return <Primitive.Separator className="-mx-1.5 my-1.5 h-px bg-line" />
}
