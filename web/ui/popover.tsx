import * as Primitive from 'radix-ui/popover'
import type { ComponentProps } from 'react'
import { floatingClass } from './card.tsx'
import { cx } from './cx.ts'

/** Never modal; see menu.tsx. */
export function Popover(props: Omit<ComponentProps<typeof Primitive.Root>, 'modal'>) {
  return <Primitive.Root modal={false} {...props} />
}

export const PopoverTrigger = Primitive.Trigger
export const PopoverClose = Primitive.Close

/** Requires an `aria-label`, or an `aria-labelledby` that references a heading inside. */
export function PopoverContent({ className, sideOffset = 8, ...props }: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Portal>
      <Primitive.Content
        sideOffset={sideOffset}
        collisionPadding={8}
        className={cx(floatingClass, 'w-80 max-w-[calc(100vw-1rem)] p-4 outline-none', className)}
        {...props}
      />
    </Primitive.Portal>
  )
}
