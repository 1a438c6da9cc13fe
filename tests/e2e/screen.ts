import { type Locator, type Page, expect } from '@playwright/test';

/** What is on the screen, by what a person would call it. */
export class Screen {
  readonly welcome: Locator;
  readonly rail: Locator;
  readonly traffic: Locator;
  readonly trafficRows: Locator;
  readonly trafficCount: Locator;
  readonly record: Locator;
  readonly tools: Locator;
  readonly toolRows: Locator;
  readonly arguments: Locator;
  readonly result: Locator;
  /** How the call stands: `Running`, `Result`, `Tool error` … */
  readonly resultStatus: Locator;
  readonly connectDemoButton: Locator;
  /** How many requests of servers wait. */
  readonly inboxCount: Locator;
  readonly authorization: Locator;
  /** The status of the authorization: `Authorized`, `Waiting for you`, `Failed at: …` */
  readonly authorizationStatus: Locator;
  readonly authorizationSteps: Locator;

  constructor(readonly page: Page) {
    this.welcome = page.getByRole('region', { name: 'Welcome' });
    this.rail = page.getByRole('tree', { name: 'Servers' });
    this.traffic = page.getByRole('region', { name: 'Traffic' });
    this.trafficRows = page.getByRole('listbox', { name: 'Traffic' }).getByRole('option');
    this.trafficCount = page.getByTestId('traffic-count');
    this.record = page.getByRole('region', { name: 'Record' });
    this.tools = page.getByRole('region', { name: 'Tools' });
    this.toolRows = page.getByRole('listbox', { name: 'Tools' }).getByRole('option');
    this.arguments = page.getByRole('region', { name: 'Arguments' });
    this.result = page.getByRole('region', { name: 'Result', exact: true });
    this.resultStatus = this.result.getByRole('status').first();
    this.inboxCount = page.getByTestId('inbox-count');
    this.authorization = page.getByRole('region', { name: 'Authorization', exact: true }).first();
    this.authorizationStatus = page.getByTestId('authorization-status').getByRole('status');
    this.authorizationSteps = page.getByRole('listbox', { name: 'Steps' }).getByRole('option');
    this.connectDemoButton = page.getByRole('button', { name: 'Connect demo' });
  }

  /** A server's row in the rail; its name says its state too. */
  server(name: string, state = ''): Locator {
    return this.rail.getByRole('treeitem', { name: `${name}: ${state}` });
  }

  /** One click on the first screen. */
  async connectDemo(): Promise<void> {
    await this.connectDemoButton.click();
    await expect(this.toolRows.first()).toBeVisible();
  }

  /** Adds what is pasted, `count` servers, and connects. */
  async addByPaste(text: string, count = 1): Promise<void> {
    await this.page.getByRole('button', { name: 'Add server' }).first().click();
    const dialog = this.page.getByRole('dialog', { name: 'Add a server' });
    await dialog.getByLabel('Paste anything').fill(text);
    const read = dialog.getByLabel('Command', { exact: true }).or(dialog.getByLabel('URL', { exact: true }));
    if (count === 1) await expect(read).not.toHaveValue('');
    await dialog.getByRole('button', { name: count === 1 ? 'Save and connect' : `Add ${count} and connect` }).click();
    await expect(dialog).toBeHidden();
  }

  /** Adds a server at a URL and connects; `more` fills in what else is wanted, `hasSecrets` if that is to be kept from others. */
  async addByUrl(name: string, url: string, more?: (dialog: Locator) => Promise<void>, hasSecrets = false): Promise<void> {
    await this.page.getByRole('button', { name: 'Add server' }).first().click();
    const dialog = this.page.getByRole('dialog', { name: 'Add a server' });
    await dialog.getByText('URL (HTTP)').click();
    await dialog.getByLabel('Name', { exact: true }).fill(name);
    await dialog.getByLabel('URL', { exact: true }).fill(url);
    await more?.(dialog);
    await dialog.getByRole('button', { name: 'Save and connect' }).click();
    if (hasSecrets) await this.keepSecretsInMemory();
    await expect(dialog).toBeHidden();
  }

  /** Writes the answer to what a server asks, as JSON text. */
  async writeAnswer(json: string): Promise<void> {
    const editor = this.page.getByRole('textbox', { name: 'Answer as JSON' });
    const asJson = this.page.getByRole('radiogroup', { name: 'Edit answer as' }).getByText('JSON', { exact: true });
    await expect(editor.or(asJson)).toBeVisible();
    if (await asJson.isVisible()) await asJson.click();
    await editor.click();
    await this.page.keyboard.press('ControlOrMeta+A');
    await this.page.keyboard.insertText(json);
  }

  /** Does something from the menu of a server's row. */
  async serverMenu(name: string, item: string): Promise<void> {
    await this.server(name).hover();
    await this.page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
    await this.page.getByRole('menuitem', { name: item, exact: true }).click();
  }

  /** There is no keychain: what is to be kept is kept until Patchbay ends. */
  async keepSecretsInMemory(): Promise<void> {
    const dialog = this.page.getByRole('dialog', { name: 'Where should secrets be stored?' });
    await dialog.getByRole('radio', { name: 'In memory only' }).check();
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await expect(dialog).toBeHidden();
  }

  /** Shows the server's tools, or the way to its token. */
  async show(mode: 'Explore' | 'Authorization'): Promise<void> {
    await this.page.getByRole('radiogroup', { name: 'Mode' }).getByRole('radio', { name: mode }).click();
  }

  /** Shows the token, beside the steps. */
  async showToken(): Promise<void> {
    await this.show('Authorization');
    await this.page.getByRole('radiogroup', { name: 'Side view' }).getByRole('radio', { name: 'Token' }).click();
  }

  /** Opens a tab of Explore; those that are rarely needed are in a menu. */
  async openTab(name: string): Promise<void> {
    const tab = this.page.getByRole('tablist', { name: 'Explore' }).getByRole('tab', { name: new RegExp(`^${name}( [\\d,]+)?$`) });
    const more = this.page.getByRole('button', { name: 'More', exact: true });
    await expect(tab.or(more).first()).toBeVisible();
    if (await tab.isVisible()) await tab.click();
    else {
      await more.click();
      // It may become a tab meanwhile, because it has something to say.
      await this.page.getByRole('menuitem', { name, exact: true }).or(tab).first().click();
    }
    await expect(tab).toHaveAttribute('aria-selected', 'true');
  }

  /** Opens the address at which the run waits, in a browser window of its own. */
  async openAuthorization(): Promise<Page> {
    const address = await this.page.getByLabel('Authorization URL').innerText();
    const browser = await this.page.context().newPage();
    await browser.goto(address);
    return browser;
  }

  async selectTool(name: string): Promise<void> {
    await this.tools.getByLabel('Search tools').fill(name);
    await this.toolRows.filter({ hasText: name }).first().click();
    await expect(this.page.getByRole('heading', { name, exact: true })).toBeVisible();
  }

  /** Filters the traffic log, and waits until its rows are those of the filter: the earlier ones stay until then. */
  async filterTraffic(filter: string): Promise<void> {
    await this.page.getByLabel('Filter records', { exact: true }).fill(filter);
    await expect(this.traffic.locator('[aria-busy="true"]')).toHaveCount(0);
  }

  /** Writes the arguments as JSON text. */
  async writeArguments(json: string): Promise<void> {
    await this.arguments.getByText('JSON', { exact: true }).click();
    const editor = this.arguments.getByRole('textbox', { name: 'Arguments as JSON' });
    await editor.click();
    await this.page.keyboard.press('ControlOrMeta+A');
    await this.page.keyboard.insertText(json);
  }

  /** Calls the selected tool, and agrees if that is asked first. */
  async callTool(): Promise<void> {
    const button = this.arguments.getByRole('button', { name: 'Call tool' });
    const asks = (await button.getAttribute('data-asks')) !== null;
    await button.click();
    if (asks) await this.page.getByRole('dialog', { name: /^Call / }).getByRole('button', { name: 'Call tool' }).click();
  }

  /** Calls the selected tool, and waits until this call is the one shown: the number of calls tells its result from one before. */
  async callAndWait(): Promise<void> {
    // The number is shown with the button.
    await expect(this.arguments.getByRole('button', { name: 'Call tool' })).toBeVisible();
    const calls = this.arguments.getByText(/^\d+ calls?$/);
    const before = (await calls.isVisible()) ? parseInt(await calls.innerText(), 10) : 0;
    await this.callTool();
    await expect(calls).toHaveText(new RegExp(`^${before + 1} calls?$`));
  }
}
