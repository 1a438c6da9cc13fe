// A minimal W3C WebDriver client for WebKitWebDriver, based on Node's fetch.
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { until } from "./until.mjs";

const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
const KEYS = {
  Enter: "\uE007",
  Escape: "\uE00C",
  Tab: "\uE004",
  Control: "\uE009",
  Alt: "\uE00A",
  Null: "\uE000",
};

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** One driver process with one session: one window. */
export class WebDriver {
  #process;
  #address;
  #session = null;

  constructor(process, address) {
    this.#process = process;
    this.#address = address;
  }

  /** Starts `binary` with `args` in the environment `env` and attaches to its window. */
  static async open({ binary, args, env }) {
    const port = await freePort();
    const child = spawn(
      "WebKitWebDriver",
      [`--port=${port}`, "--host=127.0.0.1"],
      {
        // Tauri allows automation only if this is set.
        env: { ...env, TAURI_WEBVIEW_AUTOMATION: "true" },
        stdio: ["ignore", "ignore", "inherit"],
      },
    );
    const driver = new WebDriver(child, `http://127.0.0.1:${port}`);
    try {
      await until("WebKitWebDriver answers", () =>
        fetch(`${driver.#address}/status`).then(
          (response) => response.ok,
          () => false,
        ),
      );
      const options = { "webkitgtk:browserOptions": { binary, args } };
      const session = await driver.#send("POST", "/session", {
        capabilities: { alwaysMatch: options },
      });
      driver.#session = session.sessionId;
      await driver.#command("POST", "/timeouts", {
        script: 30_000,
        pageLoad: 30_000,
        implicit: 0,
      });
      return driver;
    } catch (error) {
      child.kill("SIGKILL");
      throw error;
    }
  }

  /** The driver's process id; the app is its child. */
  get pid() {
    return this.#process.pid;
  }

  async #send(method, path, body) {
    const response = await fetch(this.#address + path, {
      method,
      headers: { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const { value } = await response.json();
    if (!response.ok) {
      const error = new Error(
        `${method} ${path}: ${value.error}: ${value.message}`,
      );
      throw Object.assign(error, { code: value.error, said: value.message });
    }
    return value;
  }

  #command(method, path, body) {
    return this.#send(method, `/session/${this.#session}${path}`, body);
  }

  /** The elements that match an XPath. */
  async all(xpath) {
    return until(`the page keeps still while it is asked for ${xpath}`, () =>
      this.#unlessStale(async () => {
        const found = await this.#command("POST", "/elements", {
          using: "xpath",
          value: xpath,
        });
        return found.map((element) => element[ELEMENT]);
      }),
    );
  }

  /** The first element that matches an XPath, as soon as it exists. */
  find(xpath) {
    return until(
      `the page has ${xpath}`,
      async () => (await this.all(xpath))[0],
    );
  }

  /** Clicks the first visible element that matches an XPath. Hidden panels may contain others. */
  async click(xpath) {
    await until(`the page shows ${xpath}`, () =>
      this.#unlessStale(async () => {
        for (const found of await this.all(xpath)) {
          if (!(await this.#command("GET", `/element/${found}/displayed`)))
            continue;
          await this.#command("POST", `/element/${found}/click`, {});
          return true;
        }
        return false;
      }),
    );
  }

  async type(xpath, text) {
    await until(`the page has ${xpath}`, () =>
      this.#unlessStale(async () => {
        await this.#command(
          "POST",
          `/element/${await this.find(xpath)}/value`,
          {
            text,
          },
        );
        return true;
      }),
    );
  }

  /**
   * What a step over elements gives, or `undefined` where the page was rendered again during the step and took an
   * element away. The driver refuses such an element before it does anything with it, so the step may be repeated.
   */
  async #unlessStale(step) {
    try {
      return await step();
    } catch (error) {
      if (error.code === "stale element reference") return undefined;
      throw error;
    }
  }

  /** Presses keys together: `keys('Control', 'Enter')`. */
  async keys(...names) {
    const values = names.map((name) => KEYS[name] ?? name);
    const actions = [
      ...values.map((value) => ({ type: "keyDown", value })),
      ...values.toReversed().map((value) => ({ type: "keyUp", value })),
    ];
    await this.#command("POST", "/actions", {
      actions: [{ type: "key", id: "keyboard", actions }],
    });
  }

  /** The text of the page; empty if the page is being unloaded. */
  text() {
    return this.run("return document.body?.innerText ?? ''").catch((error) => {
      // The driver reports this if the page is unloaded while a script runs.
      const left =
        error.code === "no such frame" ||
        (error.code === "unknown error" && error.said === "");
      if (left) return "";
      throw error;
    });
  }

  /** Waits until the page shows a text. */
  shows(text) {
    return until(
      `the page shows “${text}”`,
      async () => (await this.text()).includes(text),
      {
        seen: () => this.text(),
      },
    );
  }

  /** Runs a function body in the page. */
  run(script, ...args) {
    return this.#command("POST", "/execute/sync", { script, args });
  }

  /** Evaluates an expression over `args` and awaits its promise. */
  async wait(expression, ...args) {
    const script = `
      const args = [...arguments], done = args.pop();
      Promise.resolve().then(() => ${expression}).then((ok) => done({ ok }), (error) => done({ error }));`;
    const answer = await this.#command("POST", "/execute/async", {
      script,
      args,
    });
    if (answer.error)
      throw new Error(answer.error.message ?? JSON.stringify(answer.error));
    return answer.ok;
  }

  /** Runs a command of the contract, as the page does. */
  async call(name, params = {}) {
    const invoke =
      "window.__TAURI_INTERNALS__.invoke('call', new TextEncoder().encode(args[1]), { headers: { 'patchbay-command': args[0] } })";
    return this.wait(invoke, name, JSON.stringify(params));
  }

  url() {
    return this.#command("GET", "/url");
  }

  /** Detaches from the app without closing it properly; remaining processes are killed. */
  async close() {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null)
      return;
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    if (this.#session !== null)
      await this.#command("DELETE", "").catch(() => undefined);
    this.#process.kill("SIGTERM");
    await ended;
  }
}
