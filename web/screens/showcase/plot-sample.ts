import type { ReactNode } from 'react'

/** Props of a plot with sample data. */
export type SampleProps = { count: number; shared: { huntName: string; isLoading: boolean; emptyAction: ReactNode } }

export const round = (value: number, digits = 1) => Number(value.toFixed(digits))
export const idOf = (nth: number) => `plant-${nth + 1}`
export const nameOf = (nth: number) => `#${nth + 1}`
