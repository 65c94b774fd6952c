/** The script of static pages: see static-pages.tsx. They can be read and used without it; it adds what HTML can't do. */
import './screens/landing/landing-screen.css'
import './screens/landing/scene/fanlight.css'
import './screens/landing/scene/hero-scene.css'
import './screens/public-pages/public-page.css'
import { connectAgeGate } from './screens/onboarding/age-gate-form.ts'
import './styles.css'
import { connectSearchForm } from './ui/search-form.ts'
import { connectThemeSwitch } from './ui/theme.ts'

for (const form of document.querySelectorAll<HTMLFormElement>('[data-age-gate]')) connectAgeGate(form)
for (const form of document.querySelectorAll<HTMLFormElement>('[data-search-form]')) connectSearchForm(form)
for (const fieldset of document.querySelectorAll<HTMLElement>('[data-theme-switch]')) connectThemeSwitch(fieldset)
