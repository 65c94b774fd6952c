import type { SignUpValues } from '../accounts/sign-up-schema.ts'

export type WizardStep = 'account-type' | 'birthday' | 'basic-info' | 'business-info'

export function stepsFor(accountType: SignUpValues['accountType']): WizardStep[] {
  const steps: WizardStep[] = ['account-type', 'birthday', 'basic-info']
  return accountType === 'business' ? [...steps, 'business-info'] : steps
}

const filled = (text: string) => text.trim() !== ''

/** Whether a step's button can be pressed. What is filled in wrongly is told when it is pressed. */
export function isFilled(step: WizardStep, values: SignUpValues): boolean {
  switch (step) {
    case 'account-type':
      return true
    case 'birthday':
      return filled(values.birthday)
    case 'basic-info':
      return filled(values.firstName) && filled(values.lastName) && filled(values.email) && values.password !== ''
    case 'business-info':
      return values.businessType !== ''
  }
}

export const fieldsOf: Record<WizardStep, (keyof SignUpValues)[]> = {
  'account-type': ['accountType'],
  birthday: ['birthday'],
  'basic-info': ['firstName', 'lastName', 'email', 'password'],
  'business-info': ['businessType', 'licenseNumber'],
}

/** The first step that has one of these fields: where the server's refusal is shown. */
export function stepWith(fields: readonly string[], steps: readonly WizardStep[]): WizardStep | undefined {
  return steps.find((step) => fieldsOf[step].some((field) => fields.includes(field)))
}
