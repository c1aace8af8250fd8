"""A Chromium for the tests of a file, where it is installed."""

import os
from collections.abc import Iterator
from contextlib import nullcontext

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.showing import WANTED, Shown, launched, opened
from tests.quick import pictures_as_in_life


@pytest.fixture(scope="module", autouse=True)
def as_in_life() -> Iterator[None]:
    """Pictures are large where somebody looks at screenshots."""
    with pictures_as_in_life() if WANTED in os.environ else nullcontext():
        yield


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Not for the whole session: Playwright's loop would be in the way of other tests' loops."""
    with sync_playwright() as playwright:
        browser = launched(playwright)
        yield browser
        browser.close()


@pytest.fixture
def shown(chromium: Browser) -> Iterator[Shown]:
    with opened(chromium) as page:
        yield page
