import { useState } from 'react'
import { discreetCookie, discreetName } from '#contracts/brand.ts'
import { brand } from '#web/lib/boot.ts'
import { dropInstallOffer, useInstallOffer } from '#web/lib/install-offer.ts'
import { Button } from '#web/ui/button.tsx'
import { SettingsSection } from '#web/ui/settings-section.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { setCookie } from '#web/ui/theme.ts'

export default function InstallPart() {
  const offer = useInstallOffer()
  const [wantsDiscreet, setWantsDiscreet] = useState(isDiscreet)

  function change(isWanted: boolean) {
    setDiscreet(isWanted)
    setWantsDiscreet(isWanted)
    // The current offer would install the app under the other name. The browser will send a new one.
    dropInstallOffer()
  }

  return (
    <SettingsSection
      id="install"
      title="Install the app"
      description={`You can install ${brand.name} like an app. It opens in its own window, and your hunts work offline.`}
    >
      <div className="grid gap-5">
        <Switch
          checked={wantsDiscreet}
          onChange={(event) => change(event.currentTarget.checked)}
          hint={`The app appears as “${discreetName}” with a plain icon on your home screen, on this device only. If you already installed the app, remove it and install it again.`}
        >
          Discreet name and icon
        </Switch>
        {offer ? (
          <div>
            <Button onClick={() => void offer.prompt().then(dropInstallOffer)}>Install</Button>
          </div>
        ) : (
          <p className="max-w-text text-muted text-sm">
            In your browser’s menu, choose “Install app” or “Add to Home Screen”. On an iPhone or iPad, that’s under Share.
          </p>
        )}
      </div>
    </SettingsSection>
  )
}

/** The server reads the same cookie to choose the manifest to link. */
const isDiscreet = (): boolean => new RegExp(`(?:^|; )${discreetCookie}=1(?:;|$)`).test(document.cookie)

/** Also updates this page's links, for installing now. */
function setDiscreet(isWanted: boolean): void {
  setCookie(discreetCookie, '1', { isKept: isWanted })
  link('manifest')?.setAttribute('href', isWanted ? '/manifest.webmanifest?name=discreet' : '/manifest.webmanifest')
  link('apple-touch-icon')?.setAttribute('href', isWanted ? '/icons/plain-192.png' : '/apple-touch-icon.png')
}

const link = (rel: string) => document.querySelector(`link[rel="${rel}"]`)
