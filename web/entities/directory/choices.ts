import { createContext } from 'react'

export type Choice = { value: string; text: string }
export type Choices = { label: string; choices: readonly Choice[]; current: string | null; onChoose: (value: string) => void }

export const ChoicesContext = createContext<Choices | null>(null)
