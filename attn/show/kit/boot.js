// The static page: no kernel. Each figure carries its state; a small model stands in for the notebook's.
import { guarded, h, write } from "./kit.js";

const LATER = 3000; // milliseconds after a page has loaded
const FEW = 4; // figures that need not wait for one another

function standIn(state, fetched) {
  const listeners = new Map();
  return {
    get: (name) => state[name],
    // Of a list of which one item is shown, the others may lie beside the page: what is asked for takes its place.
    async bring(name, k) {
      const { beside } = state[name][k];
      if (beside) state[name][k] = await fetched(beside);
    },
    set(name, value) {
      if (state[name] === value) return;
      state[name] = value;
      for (const job of listeners.get(`change:${name}`) || []) job();
    },
    on: (name, job) => listeners.set(name, [...(listeners.get(name) || []), job]),
    off: (name, job) => listeners.set(name, (listeners.get(name) || []).filter((other) => other !== job)),
    save_changes() {},
  };
}

// Wake the figures of the page. parts: the modules by name, views among them; linalg: for whoever tests the page's
// mathematics; files: the parts that a view still needs, by the names of their files in figures/, beside this script.
export function start(parts, linalg, files = {}) {
  const own = document.currentScript?.src;
  const asked = {};
  // What lies beside the page comes as a script, because a disc has no fetch.   -> what the script holds, if anything
  const fetched = (address) =>
    asked[address] ||= new Promise((kept, broken) => {
      const script = document.createElement("script");
      const onerror = () => {
        delete asked[address]; // the next who asks tries again
        broken(new Error(`${address} did not arrive`));
      };
      Object.assign(script, { src: address, async: false, onload: () => kept(script.holds), onerror });
      document.head.append(script);
    });
  const load = (file) => fetched(new URL(file, own).href);
  const sorry = (el) => (error) =>
    guarded(() => {
      throw error;
    })({ el });

  function whenNear(el, then) {
    el.setAttribute("data-far", "");
    const near = new IntersectionObserver((seen) => {
      if (!seen.some((entry) => entry.isIntersecting)) return;
      near.disconnect();
      el.removeAttribute("data-far");
      then();
    }, { rootMargin: "150%" });
    near.observe(el);
  }

  // A large state lies beside the page; it is fetched when its figure comes near.
  function fetchState(el, holder) {
    return fetched(holder.dataset.src).then((state) => {
      holder.textContent = JSON.stringify(state);
      rouse(el);
    });
  }

  // A heavy one is fetched when the reader asks for it, beside its title or on its picture, which stands until then.
  function whenPressed(el, holder) {
    el.setAttribute("data-far", "");
    let asked = false;
    const start = () => {
      if (asked) return;
      asked = true;
      el.setAttribute("data-pressed", "");
      write(press, "Loading …");
      fetchState(el, holder).then(() => {
        press.remove();
        el.removeAttribute("data-far");
      }, () => {
        asked = false;
        write(press, "It did not arrive. Try again");
      });
    };
    const press = h(
      "button",
      { type: "button", class: "attn-start", onclick: start },
      `▶ Start (${holder.dataset.weighs} kB)`,
    );
    const [title, still] = [".attn-fallback > p:first-child", ".attn-still"].map((one) => el.querySelector(one));
    if (title) title.append(press);
    else el.prepend(press);
    still?.addEventListener("click", start);
  }

  function rouse(el) {
    const holder = el.querySelector(":scope > script[type='application/json']");
    if (holder && holder.dataset.src && !holder.textContent) {
      if (holder.dataset.weighs) return whenPressed(el, holder);
      return whenNear(el, () => fetchState(el, holder).catch(sorry(el)));
    }
    const view = el.dataset.view;
    if (!parts[view] && files[view]) {
      const here = () => {
        if (!parts[view]) throw new Error(`${view} did not arrive`);
        rouse(el);
      };
      const fetchParts = () =>
        Promise.all(files[view].map((part) => load(`figures/${part}.js`))).then(here).catch(sorry(el));
      return location.hash ? fetchParts() : whenNear(el, fetchParts);
    }
    guarded(() => {
      const state = JSON.parse(holder.textContent);
      parts[view].render({ model: standIn(state, fetched), el });
      el.setAttribute("data-live", "");
      if (!el.hasAttribute("data-pressed")) return;
      const live = el.querySelector(".attn-live");
      live.tabIndex = -1; // who pressed by key goes on from here
      live.focus({ preventScroll: true });
    })({ el });
  }

  // One figure at a time, so that a page with many answers the reader in between.
  function wakeAll(figures) {
    const waiting = figures.filter((el) => !el.hasAttribute("data-awake"));
    for (const el of waiting) el.setAttribute("data-awake", "");
    const next = () => {
      if (!waiting.length) return;
      rouse(waiting.shift());
      setTimeout(next);
    };
    next();
  }

  const all = (root) => [...root.querySelectorAll(".attn-figure[data-view]")];
  const wake = (root) => wakeAll(all(root));

  // What is read first comes first: a figure wakes when the reader comes near, the rest when the page has been there for
  // a while, which a search and the printer ask for.
  function begin() {
    // A link leads into the page, to a place or to one figure's state: all has its true height. And few are soon awake.
    if (location.hash || all(document).length < FEW) return wake(document);
    const near = new IntersectionObserver((seen) => {
      const come = seen.filter((entry) => entry.isIntersecting).map((entry) => entry.target);
      for (const el of come) near.unobserve(el);
      wakeAll(come);
    }, { rootMargin: "50%" });
    for (const el of all(document)) near.observe(el);
    const later = () => setTimeout(() => wake(document), LATER);
    if (document.readyState === "complete") later();
    else addEventListener("load", later);
  }

  window.attnFigures = { wake, linalg, parts };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
}
