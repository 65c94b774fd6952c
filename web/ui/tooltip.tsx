import * as Primitive from 'radix-ui/tooltip'
import { createContext, type ReactElement, type ReactNode, use } from 'react'

const ProvidedContext = createContext(false)

/** Shares the pace of its tooltips: the first waits 700 ms, the next one within 300 ms opens at once. Put it around a toolbar or a plot. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <ProvidedContext value={true}>
      <Primitive.Provider delayDuration={700} skipDelayDuration={300}>
        {children}
      </Primitive.Provider>
    </ProvidedContext>
  )
}

type TooltipProps = {
  text: ReactNode
  side?: 'top' | 'right' | 'bottom' | 'left' | undefined
  /** One focusable element. */
  children: ReactElement
}

/** A word more on hover and focus. Nothing may stand only here: touch screens have neither. */
export function Tooltip({ text, side = 'top', children }: TooltipProps) {
  const provided = use(ProvidedContext)
  const tooltip = (
    <Primitive.Root>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-64 animate-fade rounded-[0.5rem] bg-ink px-2.5 py-1.5 text-ground text-sm shadow-lift"
        >
          {text}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
  return provided ? tooltip : <TooltipProvider>{tooltip}</TooltipProvider>
}
